import { assert, describe, it } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { bucketOfNew } from "@runhook/store-pg/accounts/Buckets"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeExecution, makeTenant, newExecution, second, unlimited } from "@runhook/store-testing/Fixtures"
import { claimUpTo, idsOf, makeSession, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { waitsForLock } from "./moves/HeldOpen.ts"
import * as TestDatabase from "../TestDatabase.ts"

const stores = Layer.provideMerge(
  Layer.provideMerge(PgStore.layerStores, [
    TestDatabase.layerMigrated,
    Layer.succeed(StoreClock, "caller"),
    SecureRandom.layerWebCrypto
  ]),
  TestDatabase.layerMigrated
)

const sharing = { concurrency: { key: "customer 42", limit: 1, policy: "queue" } } as const

/** Gives seats once, and claims what may be claimed then. */
const claimed = Effect.fnUntraced(function* (
  session: Effect.Success<ReturnType<typeof makeSession>>,
  at: number
) {
  yield* (yield* SweepStore).giveSeats({ at: second(at), limit: 100 })
  const { claims } = yield* claimUpTo(session, { limit: 100, at: second(at) })
  return claims
})

describe("The seats of a concurrency key", () => {
  it.layer(stores)((it) => {
    it.effect(
      "are taken again by a run that leaves its own while they are given, and by nobody beside it",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const tenant = yield* makeTenant()
          const first = yield* makeExecution(tenant, { ...sharing, priority: 1 })
          yield* makeExecution(tenant, { ...sharing, createdAt: second(1) })
          const session = yield* makeSession(tenant)
          const [claim] = yield* claimed(session, 1)
          assert(claim)
          yield* (yield* RunStore).giveBack({ ...writeTo(claim.run, second(2)), delay: Duration.zero })
          // As if it had left its seat a moment later, when those that were left had been dropped.
          yield* sql`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`
          yield* sql`CREATE TRIGGER keep BEFORE DELETE ON concurrency_seats FOR EACH ROW EXECUTE FUNCTION keep()`

          const again = yield* claimed(session, 3)

          assert.deepStrictEqual([idsOf(again), idsOf(yield* claimed(session, 4))], [[first.id], []])
          yield* sql`DROP TRIGGER keep ON concurrency_seats`
        })
    )

    it.effect("are given to a run that somebody else was moving as soon as it stands still", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const tenant = yield* makeTenant()
        const { id } = yield* makeExecution(tenant, sharing)
        const session = yield* makeSession(tenant)
        const [isLocked, isDone] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const moving = sql`
          SELECT FROM executions
          WHERE bucket = ${bucketOfNew(tenant.accountId)}::smallint AND id = ${id}::uuid
          FOR UPDATE`.pipe(
          Effect.andThen(Deferred.succeed(isLocked, undefined)),
          Effect.andThen(Deferred.await(isDone)),
          sql.withTransaction
        )
        const mover = yield* Effect.forkChild(moving)
        yield* Deferred.await(isLocked)
        const meanwhile = yield* claimed(session, 1)
        yield* Deferred.succeed(isDone, undefined)
        yield* Fiber.join(mover)

        const after = yield* claimed(session, 3)

        assert.deepStrictEqual([meanwhile, after].map(idsOf), [[], [id]])
      })
    )

    it.effect("have no row for a key that nobody is at, however many keys are used", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const store = yield* SweepStore
        const tenant = yield* makeTenant()
        const of = (key: string) => ({ concurrency: { ...sharing.concurrency, key } })
        const ended = yield* Effect.forEach(["1", "2", "3"], (key) => makeExecution(tenant, of(key)))
        yield* makeExecution(tenant, of("seated"))
        yield* makeExecution(tenant, { ...of("seated"), createdAt: second(1) })
        yield* store.giveSeats({ at: second(2), limit: 100 })
        yield* Effect.forEach(ended, (ref) =>
          ExecutionStore.use((executions) =>
            executions.stop({ ...ref, to: "aborted", reason: null, at: second(3) })
          )
        )
        yield* store.giveSeats({ at: second(4), limit: 100 })
        yield* sql`DELETE FROM concurrency_keys WHERE account_id <> ${tenant.accountId}::uuid`
        const bites = [1, 1, 1, 1]

        const found = yield* Effect.forEach(bites, (limit) =>
          store.prune("remnants", { at: second(5), limit })
        )

        const left = yield* sql`SELECT key FROM concurrency_keys WHERE account_id = ${tenant.accountId}::uuid`
        assert.deepStrictEqual(left, [{ key: "seated" }])
        assert.deepStrictEqual(
          found.map(({ hasMore }) => hasMore),
          [true, true, true, false]
        )
      })
    )

    it.effect("lock a key that is pruned meanwhile, for one that is not to wait", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const tenant = yield* makeTenant()
        const rejecting = { concurrency: { ...sharing.concurrency, policy: "reject" } } as const
        const execution = yield* newExecution(tenant, rejecting)
        yield* sql`
          INSERT INTO concurrency_keys (bucket, account_id, key)
          SELECT bucket, id, ${rejecting.concurrency.key} FROM accounts WHERE id = ${tenant.accountId}::uuid`
        const ofKey = sql`bucket = ${bucketOfNew(tenant.accountId)}::smallint AND account_id = ${tenant.accountId}::uuid`
        const pruning = sql`SELECT FROM concurrency_keys WHERE ${ofKey} FOR UPDATE`
        const pruned = sql`DELETE FROM concurrency_keys WHERE ${ofKey}`
        const isLocked = yield* Deferred.make<void>()
        const create = ExecutionStore.use((store) => store.create({ ...unlimited, execution }))
        const creator = yield* Effect.forkChild(Effect.andThen(Deferred.await(isLocked), create))

        yield* pruning.pipe(
          Effect.andThen(Deferred.succeed(isLocked, undefined)),
          Effect.andThen(waitsForLock(creator)),
          Effect.andThen(pruned),
          sql.withTransaction
        )
        yield* Fiber.join(creator)

        assert.lengthOf(yield* sql`SELECT FROM concurrency_keys WHERE ${ofKey}`, 1)
      })
    )
  })
})
