import { assert, describe, it } from "@effect/vitest"
import { isPartly, isReadOnly } from "@runhook/store-pg/database/Outages"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { layerMigrated, TestDatabase } from "../TestDatabase.ts"

const maxConnections = 8

/** Sessions of the service on a database that is read-only when they begin, and not when the work does. */
const afterReadOnly = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const [{ url }, sql] = [yield* TestDatabase, yield* SqlClient]
  const name = new URL(Redacted.value(url)).pathname.slice(1)
  const change = (what: string) => sql.unsafe(`ALTER DATABASE ${name} ${what}`)
  const all = Effect.gen(function* () {
    yield* holdingAll(() => Effect.void)
    yield* change("RESET default_transaction_read_only")
    return yield* work
  })
  yield* change("SET default_transaction_read_only = on")
  return yield* Effect.provide(
    all,
    PgDatabase.layerWithoutMigrations({ url, minConnections: 4, maxConnections }),
    { local: true }
  )
})

/** Works while all connections are taken, and leaves them idle. */
const holdingAll = <A, E, R>(work: (one: Connection) => Effect.Effect<A, E, R>) =>
  SqlClient.use((sql) =>
    Effect.scoped(
      Effect.flatMap(Effect.replicateEffect(sql.reserve, maxConnections - 1), () =>
        Effect.flatMap(sql.reserve, work)
      )
    )
  )

const write = SqlClient.use(
  (sql) => sql`INSERT INTO write_checks (id, checked_at) VALUES (2, now()) ON CONFLICT DO NOTHING`
)

describe("sessions that are all read-only", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("are all replaced when one of them refuses a write", () =>
      afterReadOnly(
        Effect.gen(function* () {
          const refused = yield* Effect.flip(write)
          assert.isTrue(isReadOnly(refused), refused.message)

          yield* Effect.replicateEffect(write, 2 * maxConnections, { concurrency: "unbounded" })
        })
      )
    )

    it.effect("are replaced for those who wait while all are taken", () =>
      afterReadOnly(
        holdingAll((held) =>
          Effect.gen(function* () {
            // It begins to wait before this fiber goes on.
            const waiting = yield* Effect.forkChild(write, { startImmediately: true })

            const refused = yield* Effect.flip(held.execute("CREATE TABLE refused ()", [], undefined))

            assert.isTrue(isReadOnly(refused), refused.message)
            yield* Fiber.join(waiting)
          })
        )
      )
    )
  })
})

/** What the server of Citus says of another one. */
const nodeAway = SqlClient.use((sql) =>
  sql.unsafe(`DO $$ BEGIN RAISE 'connection to the remote node failed' USING ERRCODE = '08006'; END $$`)
)

const session = SqlClient.use((sql) => sql`SELECT pg_backend_pid() AS pid`)

describe("a session whose server cannot reach a node", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("is kept for those whose nodes are there", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const pids = Effect.gen(function* () {
          const before = yield* session
          const refused = yield* Effect.flip(nodeAway)
          const inTransaction = yield* Effect.flip(SqlClient.use((sql) => sql.withTransaction(nodeAway)))
          assert.deepStrictEqual([refused, inTransaction].map(isPartly), [true, true])
          return [before, yield* session]
        })

        const [before, after] = yield* Effect.provide(
          pids,
          PgDatabase.layerWithoutMigrations({ url, maxConnections: 1 }),
          { local: true }
        )

        assert.deepStrictEqual(after, before)
      })
    )
  })
})
