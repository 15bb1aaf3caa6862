import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { onDatabase, testPostgres } from "../TestPostgres.ts"
import { assertOneOutage, assertRefused, servedOn } from "./Served.ts"

const endOthers = SqlClient.use(
  (sql) => sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`
)

/** Changes what sessions of the database may do that begin from now on, and ends those of before. */
const alter = (name: string, change: "CONNECTION LIMIT 1" | "SET default_transaction_read_only = on") =>
  Effect.andThen(
    SqlClient.use((sql) => sql.unsafe(`ALTER DATABASE ${name} ${change}`)),
    endOthers
  )

const allow = (name: string, change: "CONNECTION LIMIT -1" | "RESET default_transaction_read_only") =>
  SqlClient.use((sql) => sql.unsafe(`ALTER DATABASE ${name} ${change}`))

describe("a service whose sessions are refused", { concurrent: true }, () => {
  it.live("answers reads and refuses writes while they are read-only, and then begins new ones", () =>
    Effect.gen(function* () {
      const { name, url } = yield* testPostgres
      const served = yield* servedOn({ RUNHOOK_DATABASE_URL: url })
      const { body } = yield* Effect.promise(served.create)

      yield* Effect.gen(function* () {
        yield* alter(name, "SET default_transaction_read_only = on")
        yield* assertRefused(served)
        const read = yield* Effect.promise(() => served.read(String(body?.execution_id)))
        yield* allow(name, "RESET default_transaction_read_only")

        assert.strictEqual(read.status, 200)
        // Nobody ends the sessions that are still read-only.
        yield* assertOneOutage(served, /the database (is read-only|ended the connection|cannot be reached)/)
      }).pipe((work) => onDatabase(url, work))
    })
  )

  it.live("answers 503 while it gets no connection, and says why", () =>
    Effect.gen(function* () {
      const { name, url } = yield* testPostgres
      const served = yield* servedOn({ RUNHOOK_DATABASE_URL: url })

      yield* Effect.gen(function* () {
        yield* alter(name, "CONNECTION LIMIT 1")
        yield* assertRefused(served)
        yield* allow(name, "CONNECTION LIMIT -1")

        yield* assertOneOutage(served, /the database (has no connection left|ended|cannot be reached)/)
      }).pipe((work) => onDatabase(url, work))
    })
  )
})
