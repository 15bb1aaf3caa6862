/** A runner of one account that uses the store directly, without HTTP. */
import { presentMax, RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as PgStore from "@runhook/store-pg/PgStore"
import { layerWebCrypto, SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Postgres from "./Postgres.ts"
import * as Service from "./Service.ts"

/** Longer than any measurement takes. */
const startDeadline = Duration.hours(1)

/** A machine that does other things meanwhile makes figures worse, and ends no measurement. */
const timeout = Duration.minutes(1)

export interface Options {
  readonly database: Postgres.Database
  readonly maxConnections: number
}

/** The stores on the database, until the resources end. */
export const openStore = ({ database, maxConnections }: Options, resources: AsyncDisposableStack) => {
  const store = PgStore.layer({ url: Redacted.make(database.url), maxConnections, timeout })
  const runtime = ManagedRuntime.make(Layer.provideMerge(store, layerWebCrypto))
  resources.defer(() => runtime.dispose())
  return runtime
}

/** An account with an agent of that capacity, made by the service, which ends before anything is measured. */
export const makeTenant = async (
  { database, folder }: { readonly database: Postgres.Database; readonly folder: string },
  capacity: number
): Promise<Service.Tenant> => {
  await using resources = new AsyncDisposableStack()
  const options = { databaseUrl: database.url, folder, profile: null }
  return await Service.makeTenant(await Service.start(options, resources), capacity)
}

/** Opens a session that serves the agent of the account. */
export const openSession = Effect.fnUntraced(function* ({ accountId, agentId, keyId }: Service.Tenant) {
  const { uuidV7 } = yield* SecureRandom
  const at = yield* DateTime.now
  const session = yield* Schema.decodeUnknownEffect(RunnerSession)({
    id: yield* uuidV7(),
    accountId,
    runnerKeyId: keyId,
    instanceId: "bench",
    runnerName: "Bench",
    version: null,
    agentIds: [agentId],
    capacity: 100,
    labels: {},
    isDraining: false,
    drainRequestedAt: null,
    createdAt: at,
    lastSeenAt: at
  })
  return (yield* RunStore.use((store) => store.openSession({ session, presentMax }))).session
})

/** Claims up to so many. */
export const claim = Effect.fnUntraced(function* (session: RunnerSession, limit: number) {
  const store = yield* RunStore
  const claimId = yield* (yield* SecureRandom).uuidV7()
  const at = yield* DateTime.now
  const { claims } = yield* store.claim({ session, claimId, limit, startDeadline, at })
  return claims
})
