/** Processes of one service that send alerts: each with its own connections, on one database. */
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { AlertKind } from "@runhook/core/alerts/Alert"
import type { AlertTarget } from "@runhook/core/alerts/AlertTarget"
import { parse } from "@runhook/core/shared/target/TargetPolicy"
import { makeLook } from "@runhook/core/alerts/AlertWatch"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { CallbackTargets, ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { makeAlertSender } from "@runhook/core/alerts/AlertSender"
import { Alerts } from "@runhook/core/alerts/Alerts"
import { GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import { BaseUrl } from "@runhook/http/BaseUrl"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeAccount, makeTask } from "@runhook/store-testing/catalog/CatalogFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import { addAll, makeSum } from "@runhook/store-testing/usage/UsageFixtures"
import type { Received } from "@runhook/test-support/receivers/Receiver"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as Channels from "../../src/alerts/Channels.ts"
import { mailUrl } from "../../src/settings/MailSettings.ts"
import * as NameServers from "../../src/network/NameServers.ts"
import { testPostgres, timeout } from "../TestPostgres.ts"
import { mailServer } from "./MailServer.ts"

export const secretKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

const settings = Layer.mergeAll(
  Layer.succeed(CallbackTargets, Result.getOrThrow(parse("127.0.0.0/8"))),
  Layer.succeed(ServiceKeys, Result.getOrThrow(KeyRing.parse(secretKey))),
  Layer.succeed(BaseUrl, "https://runhook.example"),
  Layer.succeed(StoreClock, "caller")
)

export interface Options {
  /** Of the database, whose tables are there. */
  readonly url: string
  readonly smtpUrl: string
}

const layerProcess = ({ smtpUrl, url }: Options) =>
  Alerts.layer.pipe(
    Layer.provideMerge(
      Channels.layer({
        alertFrom: "alerts@runhook.example",
        authorities: undefined,
        baseUrl: undefined,
        mailServer: Result.getOrThrow(mailUrl(smtpUrl)),
        roles: ["api", "dispatcher"]
      })
    ),
    Layer.provide(GuardedAgent.layer()),
    Layer.provideMerge(Layer.mergeAll(PgStore.layerStores, InProcessSignals.layer)),
    Layer.provideMerge(
      PgDatabase.layerWithoutMigrations({ url: Redacted.make(url), maxConnections: 4, timeout })
    ),
    Layer.provide(NameServers.layer),
    Layer.provideMerge(Layer.merge(SecureRandom.layerWebCrypto, settings))
  )

/** One process: `look` is a round of its loop. It ends with the scope. */
export const process = Effect.fnUntraced(function* (options: Options) {
  const context = yield* Layer.build(Layer.fresh(layerProcess(options)))
  const look = yield* Effect.provide(makeLook, context)
  const sending = yield* Effect.provide(makeAlertSender, context)
  return { look, sending, alerts: Context.get(context, Alerts), context }
})

type Process = Effect.Success<ReturnType<typeof process>>

/** An account in which callbacks were given up and a task fails, in the hour that begins then. */
export const troubled = ({ context }: Process, at: DateTime.Utc) =>
  Effect.gen(function* () {
    const { id } = yield* makeAccount({ name: "Acme\r\nBcc: victim@example.com" })
    const task = yield* makeTask(id)
    yield* addAll({
      sums: [
        makeSum(id, { dead: 3 }, { at }),
        makeSum(id, { completed: 4, failed: 6 }, { at, subject: { kind: "task", id: task.id } })
      ]
    })
    return { id }
  }).pipe(Effect.provide(context))

/** A target of an account, until the scope ends. */
export const target = Effect.fnUntraced(
  function* (
    { alerts }: Process,
    { id: owner }: Effect.Success<ReturnType<typeof troubled>>,
    fields: Pick<AlertTarget, "address" | "channel"> & { readonly pausedUntil?: DateTime.Utc }
  ) {
    const wanted = { owner, kinds: AlertKind.literals, pausedUntil: null, ...fields }
    const add = Effect.map(alerts.addTarget(wanted), ({ secret, target: { id } }) => ({
      ref: { owner, id },
      secret: secret && Redacted.value(secret)
    }))
    return yield* Effect.acquireRelease(add, ({ ref }) => Effect.ignore(alerts.removeTarget(ref)))
  },
  Effect.provideService(CurrentActor, theService)
)

/** Two processes of one service, and its mail server. */
export class Service extends Context.Service<Service>()("@runhook/server/test/alerts/Service", {
  make: Effect.gen(function* () {
    // Before anything repeats itself every few seconds of all the years until then.
    yield* goTo(0)
    const [{ url }, mails] = [yield* testPostgres, yield* mailServer()]
    yield* Effect.orDie(PgDatabase.upToDate({ url: Redacted.make(url) }))
    const options = { url, smtpUrl: mails.url }
    return { url, one: yield* process(options), other: yield* process(options), mails: mails.mails }
  })
}) {
  static readonly layer = Layer.effect(Service, Service.make)
}

/** The time, which only goes on. */
export const goTo = (seconds: number) => TestClock.setTime(second(seconds).epochMilliseconds)

/** A troubled account, at the time of its troubles. */
export const troubledAt = (one: Process, seconds: number) =>
  Effect.andThen(goTo(seconds), troubled(one, second(seconds)))

/** What a message counts. */
export const countsOf = ({ body }: Received) => JSON.parse(body).counts

/** Of a troubled account, at first. */
export const opened = { opened: 2, open: 0, over: 0 }
