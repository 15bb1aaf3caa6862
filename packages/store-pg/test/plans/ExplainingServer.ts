/** A server of its own that tells how it has run each statement (`auto_explain`). */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { appendFile, chmod, mkdir, mkdtemp, open, readFile, rm, truncate } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Binaries from "@runhook/embedded-postgres/Binaries"
import * as PostgresSettings from "@runhook/embedded-postgres/PostgresSettings"
import * as PrivateFolder from "@runhook/embedded-postgres/PrivateFolder"
import { run } from "@runhook/embedded-postgres/RunProgram"
import * as SystemUser from "@runhook/embedded-postgres/SystemUser"
import { oldest } from "@runhook/test-support/postgres/Server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { Client } from "pg"
import { type Ran, ranOf } from "./Ran.ts"

/** Once for any values, or anew for those that are given: the driver prepares statements, so PostgreSQL may do either. */
export type PlanMode = "force_custom_plan" | "force_generic_plan"

export class ExplainingServer extends Context.Service<
  ExplainingServer,
  {
    readonly url: Redacted.Redacted
    /** Lets all sessions plan in one way from now on. */
    plan(mode: PlanMode): Effect.Effect<void>
    /** The statements that something has run, and how. */
    ranBy<E, R>(doing: Effect.Effect<unknown, E, R>): Effect.Effect<ReadonlyArray<Ran>, E, R>
  }
>()("@runhook/store-pg/test/plans/ExplainingServer") {}

export type Version = "newest" | "oldest"

/** Asks as the service does. */
const role = "runhook"

/** May change how sessions plan that are open already. */
const superuser = "postgres"

const settings = `
log_line_prefix = ''
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_buffers = on
auto_explain.log_timing = off
auto_explain.log_nested_statements = on
auto_explain.log_format = json
# Statistics are as old as the test says.
autovacuum = off
max_wal_size = 4GB
`

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(tmpdir(), "runhook-test-"))
    // Root's server is another user's, and one of PostgreSQL 15 finds its folder by the whole path.
    await chmod(folder, 0o711)
    return folder
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
)

const connected = (connectionString: string) =>
  Effect.acquireRelease(
    Effect.tryPromise(async () => {
      const client = new Client({ connectionString })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** A cluster of its own. The programs of the service would not make one of an older version. */
const makeCluster = Effect.fnUntraced(function* (initdb: string, folder: string) {
  const user = yield* SystemUser.choose(folder)
  yield* Effect.promise(async () => {
    await mkdir(folder, { mode: 0o700 })
    await SystemUser.give(folder, user)
  })
  const args = [
    `--pgdata=${folder}`,
    `--username=${superuser}`,
    "--auth=trust",
    "--encoding=UTF8",
    "--no-locale"
  ]
  yield* run({ user, cwd: folder, file: initdb, args: [...args, "--no-sync"] })
  const initial = Object.entries(PostgresSettings.initial).map(([name, value]) => `${name} = '${value}'\n`)
  yield* Effect.promise(() => appendFile(join(folder, "postgresql.conf"), [...initial, settings].join("")))
})

/** What the server says goes to a file, where no two of its processes write at once. */
const startServer = Effect.fnUntraced(function* (version: Version) {
  const directory = yield* temporaryFolder
  const [folder, log] = [join(directory, "cluster"), join(directory, "log")]
  const user = yield* SystemUser.choose(folder)
  const socketFolder = yield* PrivateFolder.make({ directory, user })
  const newest = yield* Binaries.find({ user, privateFolder: socketFolder })
  const { initdb, postgres } = version === "oldest" ? yield* oldest : newest
  yield* makeCluster(initdb, folder)
  const settled = ["-D", folder, "-c", "listen_addresses=", "-c", `unix_socket_directories=${socketFolder}`]
  const [program = postgres, ...args] = [...newest.bound, postgres, ...settled]
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      await using file = await open(log, "a")
      return spawn(program, args, { ...user, cwd: folder, stdio: ["ignore", "ignore", file.fd] })
    }),
    (child) =>
      Effect.promise(async () => {
        const ended = once(child, "exit")
        child.kill("SIGINT")
        await ended
      })
  )
  const urlOf = (who: string) => `postgresql://${who}@${encodeURIComponent(socketFolder)}/postgres`
  const asSuperuser = yield* Effect.retry(connected(urlOf(superuser)), Schedule.spaced("50 millis"))
  yield* sent(asSuperuser, `CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role}`)
  return { log, url: urlOf(role), superuser: asSuperuser }
})

const sent = (client: Client, words: string) => Effect.promise(() => client.query(words))

/** What the server says of each statement: a line, and those that follow it behind a tab. */
const saidOf = (log: string): ReadonlyArray<string> =>
  [...log.matchAll(/^LOG: {2}duration: .* plan:\n((?:\t.*\n)+)/gm)].map(([, told = ""]) => told)

export const layerOf = (version: Version) =>
  Layer.effect(
    ExplainingServer,
    Effect.gen(function* () {
      const server = yield* startServer(version)
      const client = yield* connected(server.url)
      const plan = Effect.fnUntraced(function* (mode: PlanMode) {
        yield* sent(server.superuser, `ALTER SYSTEM SET plan_cache_mode = ${mode}`)
        yield* sent(server.superuser, "SELECT pg_reload_conf()")
        const current = sent(client, "SHOW plan_cache_mode")
        yield* Effect.repeat(current, { until: ({ rows }) => rows[0]?.plan_cache_mode === mode })
      })
      const empty = Effect.promise(() => truncate(server.log))
      return ExplainingServer.of({
        url: Redacted.make(server.url),
        plan,
        // A statement is told of before it is answered.
        ranBy: Effect.fnUntraced(function* (doing) {
          yield* empty
          yield* doing
          return saidOf(yield* Effect.promise(() => readFile(server.log, "utf8"))).map(ranOf)
        })
      })
    })
  ).pipe(Layer.orDie)
