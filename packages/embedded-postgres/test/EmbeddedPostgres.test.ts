import { existsSync } from "node:fs"
import { appendFile, readlink, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { clusterFolder } from "../src/DataFolder.ts"
import { EmbeddedPostgres, layer } from "../src/EmbeddedPostgres.ts"
import { query, serving } from "./Client.ts"
import { eventually, isAlive, namesIn, serverOn, temporaryFolder, usedFolder } from "./Folder.ts"
import { startService } from "./ServiceProcess.ts"

const socketFolderOf = (url: Redacted.Redacted) => decodeURIComponent(new URL(Redacted.value(url)).hostname)

/** A server on a new folder, for all that only look at it. */
class Served extends Context.Service<
  Served,
  { readonly directory: string; readonly url: Redacted.Redacted }
>()("@runhook/embedded-postgres/test/Served") {
  static readonly layer = Layer.effect(
    Served,
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const server = layer({ directory }).pipe(Layer.provide(Logger.layer([])))
      const { url } = Context.get(yield* Layer.build(server), EmbeddedPostgres)
      return { directory, url }
    })
  )
}

describe("EmbeddedPostgres", () => {
  it.layer(Served.layer, { excludeTestServices: true })((it) => {
    it.effect("starts on a new folder and serves one role, which is no superuser, its own database", () =>
      Effect.gen(function* () {
        const { url } = yield* Served

        const rows = yield* query(
          url,
          `SELECT current_user, current_database(), rolsuper, rolcreatedb, datcollate, pg_encoding_to_char(encoding) AS encoding
             FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`
        )

        assert.deepStrictEqual(rows, [
          {
            current_user: "runhook",
            current_database: "runhook",
            rolsuper: false,
            rolcreatedb: true,
            datcollate: "C",
            encoding: "UTF8"
          }
        ])
      })
    )

    it.effect("writes through to the disk and listens on its socket alone", () =>
      Effect.gen(function* () {
        const { url } = yield* Served

        const rows = yield* query(
          url,
          `SELECT name, setting FROM pg_settings
             WHERE name IN (
               'fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'recovery_init_sync_method'
             ) ORDER BY name`
        )

        assert.deepStrictEqual(rows, [
          { name: "fsync", setting: "on" },
          { name: "full_page_writes", setting: "on" },
          { name: "listen_addresses", setting: "" },
          {
            name: "recovery_init_sync_method",
            setting: process.platform === "linux" ? "syncfs" : "fsync"
          },
          { name: "synchronous_commit", setting: "on" }
        ])
      })
    )

    it.effect("lets nobody in without the password, and the superuser not at all", () =>
      Effect.gen(function* () {
        const { url } = yield* Served

        const host = encodeURIComponent(socketFolderOf(url))
        const attempt = (login: string) =>
          Effect.flip(query(Redacted.make(`postgresql://${login}@${host}/runhook`), "SELECT 1"))
        const [wrong, superuser] = yield* Effect.all([attempt("runhook:guess"), attempt("postgres:guess")])

        assert.strictEqual(wrong.reason._tag, "AuthenticationError")
        assert.strictEqual(superuser.reason._tag, "AuthenticationError")
      })
    )

    it.effect("runs as a user other than root", () =>
      Effect.gen(function* () {
        const { directory } = yield* Served

        const owner = yield* Effect.promise(() => stat(join(directory, "cluster", "postmaster.pid")))

        assert.notStrictEqual(owner.uid, 0)
      })
    )
  })

  it.live(
    "writes through to the disk whatever its configuration says, in the sessions of the stores too",
    () =>
      Effect.gen(function* () {
        const directory = yield* usedFolder
        yield* serving(directory, () => Effect.void)
        const configuration = join(clusterFolder(directory), "postgresql.conf")
        const careless = ["fsync", "synchronous_commit", "full_page_writes"].map((name) => `${name} = off\n`)
        yield* Effect.promise(() => appendFile(configuration, careless.join("")))

        const rows = yield* serving(directory, (url) =>
          Effect.provide(
            SqlClient.use(
              (sql) => sql`
                SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
                  current_setting('synchronous_commit') AS commit`
            ),
            PgClient.layer({ url }),
            { local: true }
          )
        )

        assert.deepStrictEqual(rows, [{ fsync: "on", pages: "on", commit: "on" }])
      })
  )

  it.live(
    "keeps the socket in a folder that only its user enters, linked from the data folder, and removes it at the end",
    () =>
      Effect.gen(function* () {
        const directory = yield* usedFolder
        const link = join(directory, "socket")

        const folder = yield* serving(
          directory,
          Effect.fnUntraced(function* (url) {
            const { mode } = yield* Effect.promise(() => stat(socketFolderOf(url)))
            assert.strictEqual(mode & 0o777, 0o700)
            assert.strictEqual(yield* Effect.promise(() => readlink(link)), socketFolderOf(url))
            return socketFolderOf(url)
          })
        )

        assert.isFalse(existsSync(folder))
        assert.deepStrictEqual(yield* namesIn(directory), ["cluster", "lock"])
      })
  )

  it.live("keeps what was written when it is started again, and leaves no process behind", () =>
    Effect.gen(function* () {
      const directory = yield* usedFolder
      const first = yield* serving(directory, (url) =>
        Effect.andThen(query(url, "CREATE TABLE kept AS SELECT 'kept' AS word"), serverOn(directory))
      )

      const rows = yield* serving(directory, (url) => query(url, "SELECT word FROM kept"))

      assert.deepStrictEqual(rows, [{ word: "kept" }])
      assert.isFalse(isAlive(first))
    })
  )

  it.live.each([
    "with spaces, 'quotes' and \"more\"",
    "Ünïcödé-データ-🗄",
    join("long".repeat(50), "er".repeat(100))
  ])("works in a folder such as %s", (name) =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, name)

      const rows = yield* serving(directory, (url) => query(url, "SELECT 1 AS one"))

      assert.deepStrictEqual(rows, [{ one: 1 }])
    })
  )

  it.live("starts the server again when it ends by itself, at the same place", () =>
    Effect.gen(function* () {
      const directory = yield* usedFolder

      const rows = yield* serving(
        directory,
        Effect.fnUntraced(function* (url) {
          yield* query(url, "CREATE TABLE kept AS SELECT 'kept' AS word")
          const killed = yield* serverOn(directory)
          process.kill(killed, "SIGKILL")
          yield* eventually(Effect.sync(() => !isAlive(killed)))
          yield* eventually(Effect.isSuccess(query(url, "SELECT 1")))
          return yield* query(url, "SELECT word FROM kept")
        })
      )

      assert.deepStrictEqual(rows, [{ word: "kept" }])
    })
  )

  it.live("goes on through a Ctrl-C until the service has drained", () =>
    Effect.gen(function* () {
      const directory = yield* usedFolder
      const service = yield* startService(directory)
      yield* service.hear("ready")
      const server = yield* serverOn(directory)

      yield* service.pressControlC

      yield* service.hear("drained")
      yield* service.ended
      assert.isFalse(isAlive(server))
    })
  )

  it.live("says in one line why it cannot start", () =>
    Effect.gen(function* () {
      const directory = yield* usedFolder
      yield* serving(directory, () => Effect.void)
      const needed = join(directory, "cluster", "global", "pg_control")
      yield* Effect.promise(() => rm(needed))

      const failure = yield* Effect.flip(serving(directory, () => Effect.void))

      assert.strictEqual(
        failure.message,
        `PostgreSQL on ${join(directory, "cluster")} failed: postgres: could not find the database system; ` +
          `Expected to find it in the directory "${join(directory, "cluster")}",; ` +
          `but could not open file "${needed}": No such file or directory`
      )
    })
  )
})
