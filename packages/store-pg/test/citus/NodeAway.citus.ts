import { assert, describe, it } from "@effect/vitest"
import { DispatcherId, newId } from "@runhook/core/domain/Ids"
import { DeliveryStore, roomFor } from "@runhook/core/ports/DeliveryStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createDatabase, said, start, urlOf } from "@runhook/test-support/citus/Cluster"

const database = "runhook"

const anOldKeyInEachBucket = `
  INSERT INTO idempotency_keys (bucket, api_key_id, key, fingerprint, execution_id, created_at, expires_at)
  SELECT bucket, gen_random_uuid(), 'key', 'fingerprint', gen_random_uuid(), '2020-01-01', '2020-01-02'
  FROM generate_series(0, 255) AS bucket`

/** A coordinator and two workers that end with the scope, or before it. */
const nodes = Effect.acquireRelease(Effect.promise(start), (all) =>
  Effect.promise(() => Promise.all(all.map((node) => node.end())))
)

describe("A node of Citus that is away", () => {
  it.live("keeps nobody from looking for what is due on the others", () =>
    Effect.gen(function* () {
      const [coordinator, lost, ...others] = yield* nodes
      assert.isDefined(coordinator)
      assert.isDefined(lost)
      yield* Effect.promise(() => createDatabase([coordinator, lost, ...others], database))
      const options = { url: Redacted.make(urlOf(coordinator.port, database)), maxConnections: 4 }
      yield* PgDatabase.upToDate(options)
      const stores = PgStore.layerStores.pipe(
        Layer.provideMerge(PgDatabase.layer(options)),
        Layer.provideMerge(SecureRandom.layerWebCrypto)
      )
      yield* Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const deliveries = yield* DeliveryStore
        const dispatcher = yield* newId(DispatcherId)
        const at = yield* DateTime.now
        const round = { at, limit: 1_000 }
        yield* Effect.promise(() => said(coordinator.port, database, anOldKeyInEachBucket))
        yield* Effect.promise(() => lost.end())

        const nextDueAt = yield* sweeps.nextDueAt(at)
        const pruned = yield* sweeps.prune(round)
        const found = yield* Effect.all({
          leases: sweeps.expireLeases(round),
          attempts: sweeps.timeOutRuns(round),
          inputs: sweeps.expireInputs(round),
          waiting: sweeps.expireExecutions(round),
          claimed: deliveries.claimDue({ dispatcher, room: roomFor(1), lease: Duration.minutes(1), at }),
          takenBack: deliveries.takeBack({ from: { _tag: "AllBut", dispatcher }, at })
        })

        assert.isTrue(nextDueAt !== null && DateTime.isLessThan(nextDueAt, at))
        assert.isTrue(pruned > 0 && pruned < 256)
        assert.deepStrictEqual(found, {
          leases: [],
          attempts: [],
          inputs: [],
          waiting: [],
          claimed: { deliveries: [], nextDueAt: null, oldestDueAt: null },
          takenBack: 0
        })
      }).pipe(Effect.provide(stores, { local: true }))
    }).pipe(Effect.scoped)
  )
})
