/** The PostgreSQL server that both sides of a comparison run on, with a database of its own for each side. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Embedded from "@runhook/embedded-postgres/EmbeddedPostgres"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Pool } from "pg"
import type { Counted } from "./Cpu.ts"
import { cpuSecondsOf, postmasterOf } from "./ServerProcesses.ts"

export interface Database {
  readonly url: string
  /** Runs one statement; its rows are for the caller to decode. */
  readonly run: (statement: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<unknown>>
}

/** CPU time is that of all its processes, where it runs on this machine. */
export interface Server extends Counted {
  /** Name and version, for the report. */
  readonly name: string
  readonly major: number
  /** The process that all of the server's come from; undefined where it runs on another machine. */
  readonly postmaster: number | undefined
  /** Makes an empty database, or replaces one of that name. It is dropped at the end. */
  readonly database: (name: string) => Promise<Database>
}

const Version = Schema.Struct({ version: Schema.String, number: Schema.NumberFromString })

/**
 * The server that `RUNHOOK_DATABASE_URL` names, or the service's own embedded
 * one, with its settings as the service makes them, in a folder that is
 * removed at the end.
 */
export const start = async (resources: AsyncDisposableStack): Promise<Server> => {
  const url = process.env["RUNHOOK_DATABASE_URL"] ?? (await startEmbedded(resources))
  const run = connect(url, resources)
  const [found] = await run(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number"
  )
  const { number, version } = Schema.decodeUnknownSync(Version)(found)
  const postmaster = await postmasterOf({ run })
  return {
    name: `PostgreSQL ${version}`,
    major: Math.floor(number / 10_000),
    postmaster,
    cpuSeconds: () => cpuSecondsOf(postmaster),
    database: async (name) => {
      const full = `runhook_bench_${name}`
      await run(`DROP DATABASE IF EXISTS ${full} WITH (FORCE)`)
      await run(`CREATE DATABASE ${full}`)
      resources.defer(async () => {
        // Everybody of ours has left. FORCE would fail on an autovacuum, which is not ours to end; without, it is waited for.
        await run(`DROP DATABASE IF EXISTS ${full}`)
      })
      const own = new URL(url)
      own.pathname = `/${full}`
      return { url: own.href, run: connect(own.href, resources) }
    }
  }
}

/** Gives a database the schema of the service. */
export const migrate = ({ url }: Database): Promise<void> =>
  Effect.void.pipe(
    Effect.provide(PgDatabase.layer({ url: Redacted.make(url), maxConnections: 1 })),
    Effect.runPromise
  )

const startEmbedded = async (resources: AsyncDisposableStack): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "runhook-bench-"))
  resources.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const runtime = ManagedRuntime.make(
    Layer.provide(Embedded.layer({ directory: join(folder, "database") }), Logger.layer([]))
  )
  resources.defer(() => runtime.dispose())
  return runtime.runPromise(Embedded.EmbeddedPostgres.use(({ url }) => Effect.succeed(Redacted.value(url))))
}

/** A connection that runs statements, until the resources end. */
export const connect = (url: string, resources: AsyncDisposableStack): Database["run"] => {
  const pool = new Pool({ connectionString: url, max: 1 })
  // A database that is dropped while a connection idles is the end of that connection only.
  pool.on("error", () => {})
  resources.defer(() => pool.end())
  return async (statement, values) => (await pool.query(statement, values && [...values])).rows
}
