/** A PostgreSQL that a test takes away, and brings back at the same place. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { open } from "@runhook/embedded-postgres/EmbeddedPostgres"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { temporaryDirectory } from "./RunhookProcess.ts"
import { onDatabase } from "./TestPostgres.ts"

export interface StoppablePostgres {
  readonly url: string
  /** Where PostgreSQL keeps the database. */
  readonly folder: string
  /** Answers when it takes connections. */
  start(): Promise<void>
  /** Ends it at once, as a crash does, and answers when nothing of it is left. */
  stop(): Promise<void>
  /** Answers when nothing is left of one that was killed. */
  ended(): Promise<void>
  /** `kill -9` for every process that serves a connection, whereupon PostgreSQL ends all others and recovers. */
  killConnections(): Promise<void>
}

const Processes = Schema.Array(Schema.Struct({ pid: Schema.Int }))

const connections = SqlClient.use((sql) =>
  Effect.flatMap(
    sql`SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    Schema.decodeUnknownEffect(Processes)
  )
)

/** As soon as one is killed, PostgreSQL begins to end the others itself. */
const killIfThere = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // Gone already.
  }
}

/** Made in that directory, and not started yet. It ends with the scope. */
export const stoppablePostgresIn = Effect.fnUntraced(
  function* (directory: string) {
    yield* Effect.promise(() => copyCluster(directory))
    const { folder, start, url } = yield* open({ directory })
    const silently = Effect.runPromiseWith(yield* Effect.context<never>())
    let life: Scope.Closeable | undefined
    const end = async () => {
      const ended = life
      life = undefined
      if (ended !== undefined) await silently(Scope.close(ended, Exit.void))
    }
    yield* Effect.addFinalizer(() => Effect.promise(end))
    const postgres: StoppablePostgres = {
      url: Redacted.value(url),
      folder,
      start: async () => {
        life = await silently(Scope.make())
        await silently(Scope.provide(start, life))
      },
      stop: async () => {
        process.kill(Number.parseInt(await readFile(join(folder, "postmaster.pid"), "utf8"), 10), "SIGQUIT")
        await end()
      },
      ended: end,
      killConnections: async () => {
        const processes = await silently(onDatabase(Redacted.value(url), connections))
        processes.forEach(({ pid }) => killIfThere(pid))
      }
    }
    return postgres
  },
  Effect.provide(Logger.layer([]))
)

/** In a directory of its own. */
export const stoppablePostgres = Effect.flatMap(temporaryDirectory, (directory) =>
  stoppablePostgresIn(join(directory, "database"))
)
