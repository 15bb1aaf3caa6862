/** A PostgreSQL on a disk of its own, and everything that may happen to one. */
import { execFile } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type StoppablePostgres, stoppablePostgresIn } from "../../StoppablePostgres.ts"
import { onDatabase } from "../../TestPostgres.ts"
import { volume, type Volume } from "./Volume.ts"

export interface Postgres {
  readonly url: string
  start(): Promise<void>
  /** `kill -9` for every process that serves a connection. */
  killConnections(): Promise<void>
  /** `kill -9` for all of it. */
  kill(): Promise<void>
  /** SIGSTOP for all of it. */
  freeze(): Promise<void>
  /** SIGCONT. */
  thaw(): Promise<void>
  /** Refuses to write, as the standby does that takes over. */
  becomeReadOnly(): Promise<void>
  becomeWritable(): Promise<void>
  /** Leaves no byte of its disk. */
  fillDisk(): Promise<void>
  emptyDisk(): Promise<void>
  /** Closes every connection, and accepts none for this many milliseconds. */
  refuseConnections(milliseconds: number): Promise<void>
}

/** Started; it ends with the scope. */
export const postgres = Effect.gen(function* () {
  const disk = yield* volume
  const stoppable = yield* stoppablePostgresIn(join(disk.directory, "database"))
  yield* Effect.promise(stoppable.start)
  return postgresOf(stoppable, disk)
})

const postgresOf = (stoppable: StoppablePostgres, disk: Volume): Postgres => {
  const { folder, url } = stoppable
  let frozen: ReadonlyArray<number> = []
  const settingsFile = join(folder, "postgresql.auto.conf")
  const set = async (setting: string) => {
    await writeFile(settingsFile, setting)
    process.kill(await postmasterOf(folder), "SIGHUP")
  }
  return {
    url,
    start: stoppable.start,
    killConnections: stoppable.killConnections,
    kill: async () => {
      for (const pid of await processesIn(folder)) signal(pid, "SIGKILL")
      await stoppable.ended()
    },
    freeze: async () => {
      frozen = await processesIn(folder)
      frozen.forEach((pid) => signal(pid, "SIGSTOP"))
    },
    thaw: async () => frozen.forEach((pid) => signal(pid, "SIGCONT")),
    becomeReadOnly: () => set("default_transaction_read_only = on\n"),
    becomeWritable: () => set(""),
    fillDisk: () => disk.fill(url),
    emptyDisk: disk.empty,
    refuseConnections: (milliseconds) =>
      Effect.runPromise(onDatabase(url, Effect.scoped(refusing(milliseconds))))
  }
}

/** On the one connection that is left. */
const refusing = (milliseconds: number) =>
  SqlClient.use((sql) =>
    Effect.acquireUseRelease(
      sql`ALTER DATABASE runhook CONNECTION LIMIT 0`,
      () =>
        Effect.andThen(
          sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid()`,
          Effect.promise(() => pause(milliseconds))
        ),
      () => Effect.orDie(sql`ALTER DATABASE runhook CONNECTION LIMIT -1`)
    )
  )

const postmasterOf = async (folder: string): Promise<number> =>
  Number.parseInt(await readFile(join(folder, "postmaster.pid"), "utf8"), 10)

/** All processes of a PostgreSQL, the one that begins others first. */
export const processesIn = async (folder: string): Promise<ReadonlyArray<number>> => {
  const postmaster = await postmasterOf(folder)
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="])
  const children = stdout.split("\n").flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return parent === postmaster && pid !== undefined ? [pid] : []
  })
  return [postmaster, ...children]
}

/** One that has ended meanwhile needs none. */
export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already.
  }
}
