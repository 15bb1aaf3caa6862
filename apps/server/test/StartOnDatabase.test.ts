import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { runhook, temporaryDirectory } from "./RunhookProcess.ts"
import { onDatabase, testPostgres } from "./TestPostgres.ts"

/** What a server says that is started on the database. */
const refusalOf = Effect.fnUntraced(function* (url: URL) {
  const { code, stderr } = yield* runhook([], {
    RUNHOOK_MODE: "development",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_DATABASE_URL: url.href
  })
  assert.strictEqual(code, 1)
  return stderr
})

/** Has the server say that it is an old one, to whoever looks into that schema first. */
const pretend = SqlClient.use((sql) =>
  Effect.all([
    sql`CREATE SCHEMA older`,
    sql`
      CREATE FUNCTION older.current_setting(name text) RETURNS text LANGUAGE sql
      RETURN CASE name WHEN 'server_version' THEN '14.12' WHEN 'server_version_num' THEN '140012' END`,
    sql`ALTER DATABASE runhook SET search_path = older, pg_catalog`
  ])
)

describe("the start of a server on a database that it cannot use", () => {
  it.live(
    "is refused with one line that says what to do, without the password",
    () =>
      Effect.gen(function* () {
        const { url } = yield* testPostgres
        const wrongPassword = new URL(url)
        wrongPassword.password = "hush"
        const wrongDatabase = new URL(url)
        wrongDatabase.pathname = "/orders"
        yield* onDatabase(url, pretend)

        const refusals = yield* Effect.forEach([wrongPassword, wrongDatabase, new URL(url)], refusalOf)

        assert.deepStrictEqual(refusals, [
          "runhook: RUNHOOK_DATABASE_URL: the database refuses this user or password: correct them, or let the user in\n",
          'runhook: RUNHOOK_DATABASE_URL: database "orders" does not exist: create it, or correct its name\n',
          "runhook: RUNHOOK_DATABASE_URL: this is PostgreSQL 14.12, and Runhook needs 15 or later\n"
        ])
      }),
    60_000
  )
})
