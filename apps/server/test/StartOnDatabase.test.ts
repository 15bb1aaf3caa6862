import { createServer as createHttpServer } from "node:http"
import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { migrations } from "@runhook/store-pg/migrations/Migrations"
import { listening } from "@runhook/test-support/receivers/Listening"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { escaping } from "../src/settings/SettingText.ts"
import { request } from "./Http.ts"
import { runhook, runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { emptyPostgres, onDatabase, testPostgres } from "./TestPostgres.ts"

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

/** Makes the server report an old version to the first program that looks into that schema. */
const pretend = (database: string) =>
  SqlClient.use((sql) =>
    Effect.all([
      sql`CREATE SCHEMA older`,
      sql`
      CREATE FUNCTION older.current_setting(name text) RETURNS text LANGUAGE sql
      RETURN CASE name WHEN 'server_version' THEN '14.12' WHEN 'server_version_num' THEN '140012' END`,
      sql`ALTER DATABASE ${sql(database)} SET search_path = older, pg_catalog`
    ])
  )

const production = {
  RUNHOOK_ADMIN_KEY: "an-admin-key-of-the-operator-himself",
  RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
}

/** What a release of later years leaves behind. */
const upgrade = SqlClient.use(
  (sql) => sql`INSERT INTO runhook_migrations (migration_id, name) VALUES (9000, 'of_later_years')`
)

/** What a folder of a developer holds since before the first release. */
const outdate = SqlClient.use((sql) =>
  Effect.all([
    sql`CREATE TABLE runhook_migrations (migration_id integer PRIMARY KEY, created_at timestamptz, name text NOT NULL)`,
    sql`INSERT INTO runhook_migrations (migration_id, name) VALUES (1, 'catalog'), (19, 'lighter_rows')`
  ])
)

describe("the start of a server on a database that it cannot use", () => {
  it.live("is refused with one line that says what to do, without the password", () =>
    Effect.gen(function* () {
      const { name, url } = yield* testPostgres
      const wrongPassword = new URL(url)
      wrongPassword.password = "hush"
      const wrongDatabase = new URL(url)
      wrongDatabase.pathname = "/orders"
      const unescaped = new URL(url)
      unescaped.password = "hush%"
      const misspelt = new URL(url)
      misspelt.search = "sslmode=requires"
      yield* onDatabase(url, pretend(name))

      const refusals = yield* Effect.forEach(
        [wrongPassword, wrongDatabase, unescaped, misspelt, new URL(url)],
        refusalOf
      )

      assert.deepStrictEqual(refusals, [
        "runhook: RUNHOOK_DATABASE_URL: the database refuses this user or password: correct them, or let the user in\n",
        'runhook: RUNHOOK_DATABASE_URL: database "orders" does not exist: create it, or correct its name\n',
        `runhook: RUNHOOK_DATABASE_URL: Invalid percent-encoding in URL password: ${escaping}\n`,
        "runhook: RUNHOOK_DATABASE_URL must have an sslmode of disable, prefer, require, verify-ca, verify-full\n",
        "runhook: RUNHOOK_DATABASE_URL: this is PostgreSQL 14.12, and Runhook needs 15 or later\n"
      ])
    })
  )

  it.live("is refused when a newer release has changed its schema, while older ones that run go on", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const settings = { ...production, RUNHOOK_DATABASE_URL: url }
      const old = yield* runningServer({ ...settings, RUNHOOK_DATA_DIR: yield* temporaryDirectory })
      yield* onDatabase(url, upgrade)

      const { code, stderr } = yield* runhook([], {
        ...settings,
        RUNHOOK_PORT: "0",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory
      })
      const migration = yield* runhook(["migrate"], settings)
      const doctor = yield* runhook(["doctor"], { ...settings, RUNHOOK_BASE_URL: old.baseUrl })
      const account = yield* request(`${old.baseUrl}/api/v1/admin/accounts`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${production.RUNHOOK_ADMIN_KEY}`,
          "content-type": "application/json"
        },
        body: '{"name": "Acme"}'
      })

      const problem =
        `RUNHOOK_DATABASE_URL: its schema is of a newer Runhook (migration 9000, and this one knows ${migrations.length}): ` +
        "run that release or a later one; to go back, restore a backup that was made before it"
      assert.deepStrictEqual([code, stderr], [1, `runhook: ${problem}\n`])
      assert.deepStrictEqual([migration.code, migration.stderr], [1, `runhook: ${problem}\n`])
      assert.include(doctor.stdout, `FAIL  database  ${problem}`)
      assert.strictEqual(account.status, 201)
    })
  )

  it.live("is refused with one line on tables from before the first release", () =>
    Effect.gen(function* () {
      const { url } = yield* emptyPostgres
      yield* onDatabase(url, outdate)

      const refusal = yield* refusalOf(new URL(url))

      assert.strictEqual(
        refusal,
        "runhook: RUNHOOK_DATABASE_URL: its tables were made before the first release, and no release can go on with them: " +
          "move the folder away (by default ./data) or name an empty folder or database, and start again\n"
      )
    })
  )

  it.live("names what answers there and is no PostgreSQL", () =>
    Effect.gen(function* () {
      const website = yield* listening(createHttpServer((_, response) => response.end()))
      const silent = yield* listening(createServer(() => {}))

      const refusals = yield* Effect.forEach([website, silent], (port) =>
        refusalOf(new URL(`postgres://runhook:hush@127.0.0.1:${port}/runhook`))
      )

      assert.deepStrictEqual(refusals, [
        "runhook: RUNHOOK_DATABASE_URL: what answers there does not speak PostgreSQL's protocol: correct host and port, or what listens there\n",
        "runhook: RUNHOOK_DATABASE_URL: what listens there does not answer in time: see whether the database runs and has a connection to spare, or correct host and port\n"
      ])
    })
  )
})
