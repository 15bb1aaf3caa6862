/** Migrations of later releases, beside a service that works. */
import { assert, describe, it } from "@effect/vitest"
import { migrationPatience, patient } from "@runhook/store-pg/connections/Deadline"
import { sqlStateOf } from "@runhook/store-pg/database/Outages"
import { migrations } from "@runhook/store-pg/migrations/Migrations"
import { migrateTo } from "@runhook/store-pg/migrations/Migrator"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { Client } from "pg"
import { layerMigrated, TestDatabase } from "../TestDatabase.ts"
import { indexing, sample } from "./Samples.ts"

/** A connection of somebody else. */
const connected = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  return yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: Redacted.value(url) })
      await client.connect()
      // PostgreSQL judges who waits: a write that has to wait for the holder of a lock fails here.
      await client.query("SET lock_timeout = '10s'")
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )
})

const fill = Effect.fnUntraced(function* () {
  const sql = yield* SqlClient
  const rows = yield* Config.Int("RUNHOOK_PLAN_ROWS").pipe(Config.withDefault(2_000))
  // In bites, each of which ends before the server's limit for a statement, however busy it is.
  for (let left = rows; left > 0; left -= 50_000) {
    yield* sql.unsafe(
      `INSERT INTO execution_events (bucket, execution_id, number, type, status, attempt, epoch, at)
       SELECT 7, gen_random_uuid(), 1, 'started', 'running', 1, 1, now()
       FROM generate_series(1, ${Math.min(left, 50_000)})`
    )
  }
}, patient(migrationPatience))

/** A transaction that has changed a row and goes on, as a long one of the service does. */
const holding = Effect.gen(function* () {
  const client = yield* connected
  yield* Effect.promise(() => client.query("BEGIN"))
  yield* Effect.promise(() =>
    client.query(
      "UPDATE execution_events SET epoch = 2 WHERE execution_id = (SELECT execution_id FROM execution_events LIMIT 1)"
    )
  )
  return Effect.promise(() => client.query("COMMIT"))
})

const write = (client: Client) =>
  Effect.promise(() =>
    client.query(
      `INSERT INTO execution_events (bucket, execution_id, number, type, status, attempt, epoch, at)
       VALUES (7, gen_random_uuid(), 1, 'started', 'running', 1, 1, now())`
    )
  )

/** Starts a process that migrates, with a pool of its own. */
const starting = Effect.fnUntraced(function* (last: typeof sample) {
  const { url } = yield* TestDatabase
  return yield* Effect.forkScoped(
    migrateTo([...migrations, last]).pipe(
      Effect.provide(PgDatabase.layerWithoutMigrations({ url, maxConnections: 2 }), { local: true }),
      Effect.exit
    )
  )
})

/** Comes back when the condition holds. */
const once = Effect.fnUntraced(function* (condition: string) {
  const sql = yield* SqlClient
  while ((yield* sql.unsafe(`SELECT WHERE ${condition}`)).length === 0);
})

const isLockAwaited =
  "EXISTS (SELECT FROM pg_locks WHERE relation = 'execution_events'::regclass AND NOT granted)"
const isHalfMade =
  "EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('sample_index') AND NOT indisvalid)"
const builder = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND query ~ '^(CREATE|DROP) INDEX CONCURRENTLY' AND state = 'active'`

const validity = SqlClient.use(
  (sql) => sql`SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass('sample_index')`
)

/** Milliseconds for a million rows. */
const timeout = 600_000

describe("A migration of a later release", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect(
      "gives way to whoever writes, and is applied when it is started again",
      () =>
        Effect.gen(function* () {
          yield* fill()
          const writer = yield* connected
          const release = yield* holding

          const first = yield* starting(sample)
          yield* once(isLockAwaited)
          yield* write(writer)
          const refusal = yield* Fiber.join(first)
          yield* release
          const second = yield* Fiber.join(yield* starting(sample))

          const failure = Exit.isFailure(refusal) ? Exit.findErrorOption(refusal) : refusal
          assert.strictEqual(
            failure._tag === "Some" && isSqlError(failure.value) ? sqlStateOf(failure.value) : undefined,
            "55P03"
          )
          assert.deepStrictEqual(second, Exit.succeed([[sample.id, sample.name] as const]))
          assert.deepStrictEqual(yield* validity, [{ isValid: true }])
        }),
      timeout
    )
  })

  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("changes nothing when its statements run once more", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const shape = sql`
          SELECT c.relname, a.attname, a.attnum, a.attnotnull
          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
          WHERE c.relnamespace = 'public'::regnamespace
          ORDER BY c.relname, a.attnum`
        yield* migrateTo([...migrations, sample])
        const before = yield* shape
        yield* sql`DELETE FROM runhook_migrations WHERE migration_id = ${sample.id}`

        const again = yield* migrateTo([...migrations, sample])

        assert.deepStrictEqual(again, [[sample.id, sample.name]])
        assert.deepStrictEqual(yield* shape, before)
      })
    )
  })

  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect(
      "that was killed in the middle of an index is ended by one of eight starters, beside a writer",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* fill()
          const writer = yield* connected
          const release = yield* holding

          const killed = yield* starting(indexing)
          yield* once(isHalfMade)
          yield* write(writer)
          yield* sql.unsafe(`SELECT pg_terminate_backend(pid) FROM (${builder}) AS builder`)
          const death = yield* Fiber.join(killed)
          const left = yield* validity
          const starters = yield* Effect.replicateEffect(starting(indexing), 8)
          yield* once(`EXISTS (${builder})`)
          yield* write(writer)
          yield* release
          const ends = yield* Effect.raceFirst(
            Effect.forEach(starters, (starter) => Fiber.join(starter)),
            Effect.forever(write(writer))
          )

          assert.isTrue(Exit.isFailure(death))
          assert.deepStrictEqual(left, [{ isValid: false }])
          assert.deepStrictEqual(
            ends.filter((end) => Exit.isSuccess(end) && end.value.length > 0),
            [Exit.succeed([[indexing.id, indexing.name] as const])]
          )
          assert.isTrue(ends.every(Exit.isSuccess))
          assert.deepStrictEqual(yield* validity, [{ isValid: true }])
        }),
      timeout
    )
  })
})
