import { assert, describe, it } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { bucketOfNew } from "@runhook/store-pg/accounts/Buckets"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import {
  callbackUrl,
  makeTenant,
  newExecution,
  second,
  type Tenant,
  unlimited
} from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { brokenRules } from "../../Invariants.ts"
import { heldOpen, somebodyWaits, waitsForLock } from "../../runs/moves/HeldOpen.ts"
import { timeout } from "../../ProcessLayer.ts"
import { layerMigrated, TestDatabase } from "../../TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

const StoredRow = Schema.Struct({ executions: Schema.Int, transactions: Schema.Int })

/** How many executions of a tenant are stored, and in how many transactions that happened. */
const storedOf = Effect.fnUntraced(function* ({ accountId }: Tenant) {
  const sql = yield* SqlClient
  const [row] = yield* sql`
    SELECT count(*)::integer AS executions, count(DISTINCT xmin::text)::integer AS transactions
    FROM execution_requests
    WHERE account_id = ${accountId}::uuid`
  return yield* Schema.decodeUnknownEffect(StoredRow)(row)
})

const idempotencyOf = (key: string) => ({ key, fingerprint: "same", expiresAt: second(1_000) })

/** The stores as another process has them, on the same database. */
const inAnotherProcess = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TestDatabase, ({ url }) =>
    Effect.provide(
      work,
      Layer.provideMerge(
        Layer.provide(
          PgStore.layerStores,
          PgDatabase.layerWithoutMigrations({ url, maxConnections: 4, timeout })
        ),
        SecureRandom.layerWebCrypto
      ),
      { local: true }
    )
  )

describe("Creates in groups", () => {
  it.layer(stores)((it) => {
    it.effect("stores what comes at once in few transactions", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const executions = yield* Effect.all(
          Array.from({ length: 400 }, () => newExecution(tenant, { callbackUrl }))
        )

        yield* Effect.forEach(executions, (execution) => store.create({ ...unlimited, execution }), {
          concurrency: "unbounded"
        })

        const stored = yield* storedOf(tenant)
        assert.strictEqual(stored.executions, executions.length)
        assert.isAtMost(stored.transactions, 6)
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("stores together what comes while others are stored for the same account", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const create = Effect.flatMap(newExecution(tenant), (execution) =>
          store.create({ ...unlimited, execution })
        )
        yield* create

        const creating = yield* heldOpen(
          sql`SELECT FROM live_counts
            WHERE bucket = ${bucketOfNew(tenant.accountId)}::smallint AND account_id = ${tenant.accountId}::uuid
            FOR UPDATE`,
          Effect.gen(function* () {
            const first = yield* Effect.forkChild(create)
            yield* waitsForLock(first)
            // Each in a turn of the event loop of its own, and sent with that if it is sent by itself.
            const others = yield* Effect.replicateEffect(
              Effect.tap(Effect.forkChild(create), somebodyWaits),
              3
            )
            return [first, ...others]
          })
        )
        yield* Effect.forEach(creating, Fiber.join)

        assert.deepStrictEqual(yield* storedOf(tenant), { executions: 5, transactions: 3 })
      })
    )

    it.effect("fails only the request whose value the database refuses", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const references = Array.from({ length: 30 }, (_, place) =>
          place === 17 ? "not \u0000 storable" : "fine"
        )
        const executions = yield* Effect.forEach(references, (reference) =>
          newExecution(tenant, { reference })
        )

        const exits = yield* Effect.forEach(
          executions,
          (execution) => Effect.exit(store.create({ ...unlimited, execution })),
          { concurrency: "unbounded" }
        )

        assert.deepStrictEqual(
          exits.map(Exit.isSuccess),
          references.map((reference) => reference === "fine")
        )
        assert.strictEqual((yield* storedOf(tenant)).executions, 29)
      })
    )

    it.effect(
      "makes one execution of each key, in whatever order and from however many processes they come",
      () =>
        Effect.gen(function* () {
          const tenant = yield* makeTenant()
          const keys = Array.from({ length: 40 }, (_, place) => `key-${place}`)
          const createAll = Effect.gen(function* () {
            const store = yield* ExecutionStore
            return yield* Effect.forEach(
              yield* Random.shuffle(keys),
              Effect.fnUntraced(function* (key) {
                const execution = yield* newExecution(tenant)
                return yield* store.create({ ...unlimited, execution, idempotency: idempotencyOf(key) })
              }),
              { concurrency: "unbounded" }
            )
          })

          const answers = yield* Effect.all(
            Array.from({ length: 8 }, () => inAnotherProcess(createAll)),
            { concurrency: "unbounded" }
          )

          assert.lengthOf(
            answers.flat().filter(({ isDuplicate }) => !isDuplicate),
            keys.length
          )
          assert.strictEqual((yield* storedOf(tenant)).executions, keys.length)
          assert.deepStrictEqual(yield* brokenRules, [])
        })
    )
  })

  // The pauses between tries are real ones here.
  it.layer(stores, { excludeTestServices: true })((it) => {
    it.effect("stores each execution once although connections are lost again and again", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const tenant = yield* makeTenant()
        const { url } = yield* TestDatabase
        const lost: Array<unknown> = []
        const dropOthers = Effect.map(
          SqlClient.use(
            (sql) => sql`
                SELECT pg_terminate_backend(pid)
                FROM pg_stat_activity
                WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
          ),
          (rows) => lost.push(...rows)
        )
        const createSome = Effect.forEach(
          Array.from({ length: 8 }),
          Effect.fnUntraced(function* (_, place) {
            const execution = yield* newExecution(tenant)
            const idempotency = place % 2 === 0 ? null : idempotencyOf(execution.id)
            return yield* store.create({ ...unlimited, execution, idempotency })
          }),
          { concurrency: "unbounded" }
        )

        // Dropped by what has been answered, not by time: a slow machine shall not lose more than is tried again.
        const answers = new Array<{ readonly isDuplicate: boolean }>()
        yield* Effect.gen(function* () {
          for (let round = 0; round < 5_000 && lost.length < 20; round++) {
            const creating = yield* Effect.forkChild(createSome)
            yield* dropOthers
            answers.push(...(yield* Fiber.join(creating)))
          }
        }).pipe(
          Effect.provide(PgDatabase.layerWithoutMigrations({ url, maxConnections: 1, timeout }), {
            local: true
          })
        )

        assert.isAtLeast(lost.length, 20)
        assert.isTrue(answers.every(({ isDuplicate }) => !isDuplicate))
        // By connections that were not dropped.
        const [stored, broken] = yield* Effect.all([storedOf(tenant), brokenRules]).pipe(
          Effect.provide(PgDatabase.layerWithoutMigrations({ url, timeout }), { local: true })
        )
        assert.strictEqual(stored.executions, answers.length)
        assert.deepStrictEqual(broken, [])
      })
    )
  })
})
