/** Processes on one database sign with the secret that is in force, whichever of them has replaced it. */
import { assert, describe, it } from "@effect/vitest"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { Signals } from "@runhook/core/signals/Signals"
import * as SigningKeyring from "@runhook/core/keys/SigningKeyring"
import { ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Deliveries } from "@runhook/core/deliveries/Deliveries"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as PgSignals from "@runhook/store-pg/signals/PgSignals"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { testPostgres, timeout } from "./TestPostgres.ts"

const ring = Result.getOrThrow(KeyRing.parse(Buffer.alloc(32, 7).toString("base64")))

const process = (url: Redacted.Redacted) =>
  Layer.mergeAll(Accounts.layer, ApiKeys.layer, Deliveries.layer).pipe(
    Layer.provideMerge(PgStore.layerStores),
    Layer.provideMerge(Layer.merge(PgSignals.layer, Layer.succeed(ServiceKeys, ring))),
    Layer.provide(PgDatabase.layer({ url, maxConnections: 4, timeout })),
    Layer.provideMerge([SecureRandom.layerWebCrypto, Layer.succeed(CurrentActor, theService)])
  )

/** A process and what it signs with. Its connections live by the real clock, what it remembers by the test's. */
const processOn = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const services = yield* TestClock.withLive(Layer.build(Layer.fresh(process(url))))
  return { services, keysFor: yield* Effect.provide(SigningKeyring.make, services) }
})

/** A key, and an event of it that waits to be sent. */
const makeDelivery = Effect.fnUntraced(function* () {
  const { id: accountId } = yield* (yield* Accounts).create("Integrator")
  const { record } = yield* (yield* ApiKeys).create({
    accountId,
    name: "A key",
    allowedTaskIds: null,
    allowedAgentIds: null,
    capabilities: null,
    maxLive: null,
    rateLimit: null,
    expiresAt: null
  })
  const callbackUrl = "https://receiver.example.com/hook"
  const requested = { accountId, apiKeyId: record.id, callbackUrl, requestId: "req_1" }
  return { record, delivery: (yield* (yield* Deliveries).test(requested)).delivery }
})

describe("Of two processes on one database", () => {
  it.effect(
    "one signs with the new secret once it has heard that the other rotated it, without time going by",
    () =>
      Effect.gen(function* () {
        // Behind the moment that ids are made at.
        yield* TestClock.setTime(Date.UTC(2100, 0, 1))
        const server = yield* TestClock.withLive(testPostgres)
        const url = Redacted.make(server.url)
        const [one, other] = [yield* processOn(url), yield* processOn(url)]
        const { delivery, record } = yield* Effect.provide(makeDelivery(), other.services)
        const at = yield* DateTime.now
        yield* one.keysFor(delivery, at)
        const heard = yield* Effect.flatMap(Signals, (signals) =>
          signals.subscribe(["signing_secrets"])
        ).pipe(Effect.provide(one.services))

        const { signingSecret } = yield* Effect.flatMap(ApiKeys, (keys) =>
          keys.rotateSigningSecret(record, { mode: "immediate", overlap: Duration.zero })
        ).pipe(Effect.provide(other.services))
        yield* heard

        const keys = yield* one.keysFor(delivery, at)
        assert.deepStrictEqual(
          keys.map(({ whole }) => whole.export().toString("utf8")),
          [Redacted.value(signingSecret)]
        )
      })
  )
})
