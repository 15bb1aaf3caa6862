/** The processes of a PostgreSQL server that runs on this machine, and the CPU time that they use together. */
import { readFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { usedBy } from "./Cpu.ts"
import type { Database } from "./Postgres.ts"

const Backend = Schema.Struct({ pid: Schema.Int })

/** The process that all of a server's come from; undefined where it runs on another machine. */
export const postmasterOf = async ({ run }: Pick<Database, "run">): Promise<number | undefined> => {
  const [row] = await run("SELECT pg_backend_pid() AS pid")
  const { pid } = Schema.decodeUnknownSync(Backend)(row)
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => undefined)
  // The number may be that of a process on another machine.
  if (name?.trim() !== "postgres") return undefined
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  const [, parent] = /^PPid:\s+(\d+)/m.exec(status) ?? []
  return parent === undefined ? undefined : Number(parent)
}

/** What the postmaster has started and that still runs. */
export const childrenOf = async (postmaster: number): Promise<ReadonlyArray<number>> => {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").catch(() => "")
  return children.trim().split(/\s+/).filter(Boolean).map(Number)
}

/** More often than that no process ends while the others are read. */
const readingsMax = 5

/** CPU seconds that the server and its processes have used, those included that have ended; not a number without a postmaster. */
export const cpuSecondsOf = async (postmaster: number | undefined): Promise<number> => {
  if (postmaster === undefined) return Number.NaN
  let before = await usedBy(postmaster)
  for (let reading = 1; ; reading++) {
    const children = await Promise.all((await childrenOf(postmaster)).map(cpuSecondsOfOne))
    const after = await usedBy(postmaster)
    // One that ended in between would be counted twice, or not at all.
    if (after.endedChildren === before.endedChildren || reading === readingsMax)
      return after.own + after.endedChildren + children.reduce((sum, each) => sum + each, 0)
    before = after
  }
}

/**
 * Of a process with one thread, as those of PostgreSQL are: to the nanosecond,
 * where the clock has ticks of ten milliseconds. One that has ended by now has
 * become the postmaster's.
 */
const cpuSecondsOfOne = async (pid: number): Promise<number> => {
  const schedule = await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => undefined)
  if (schedule !== undefined) return Number(schedule.split(" ")[0]) / 1e9
  const { own } = await usedBy(pid)
  return Number.isNaN(own) ? 0 : own
}
