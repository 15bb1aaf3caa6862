/** CPU time of the measured processes: NaN on systems other than Linux. */
import { readFile } from "node:fs/promises"
import { medianOf } from "./Report.ts"

/** Whose CPU time is counted. */
export interface Counted {
  /** CPU seconds it has used; not a number where the system does not tell. */
  readonly cpuSeconds: () => Promise<number>
}

/** A value for each part of a measurement. */
export interface Parts<A> {
  /** The Node process that is measured. */
  readonly node: A
  /** All processes of the database server. */
  readonly postgres: A
  /** The process that plays callers, runners and receivers, if it is not what is measured. */
  readonly callers: A
}

/** What one piece of work cost, in microseconds. */
export type Cpu = Parts<number>

/** A part that does not exist, or cannot be measured. */
export const nobody: Counted = { cpuSeconds: () => Promise.resolve(Number.NaN) }

/** The benchmark itself, and what it runs in its own process. */
export const thisProcess: Counted = {
  cpuSeconds: async () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  }
}

/** Several that share the work of one. */
export const together = (...all: ReadonlyArray<Counted>): Counted => ({
  cpuSeconds: async () => {
    const each = await Promise.all(all.map((one) => one.cpuSeconds()))
    return each.reduce((sum, seconds) => sum + seconds, 0)
  }
})

/** Starts counting. The result gives the CPU time since then for each of so many pieces of work. */
export const counting = async (counted: Parts<Counted>): Promise<(pieces: number) => Promise<Cpu>> => {
  // To read the others costs this process something, which is none of the work: so it comes last before, and first after.
  const postgres = await counted.postgres.cpuSeconds()
  const callers = await counted.callers.cpuSeconds()
  const node = await counted.node.cpuSeconds()
  return async (pieces) => {
    const each = async (part: Counted, before: number) =>
      (((await part.cpuSeconds()) - before) / pieces) * 1e6
    return {
      node: await each(counted.node, node),
      callers: await each(counted.callers, callers),
      postgres: await each(counted.postgres, postgres)
    }
  }
}

/** The columns of it in a table, for one piece of work. */
export const cpuColumns = (runs: ReadonlyArray<{ readonly cpu: Cpu }>) => ({
  "Node CPU us": medianOf(runs, ({ cpu }) => cpu.node),
  "PostgreSQL CPU us": medianOf(runs, ({ cpu }) => cpu.postgres)
})

/** The same beside those who call over HTTP, and what the machine paid for all of it. */
export const cpuColumnsOverHttp = (runs: ReadonlyArray<{ readonly cpu: Cpu }>) => ({
  ...cpuColumns(runs),
  "callers' CPU us": medianOf(runs, ({ cpu }) => cpu.callers),
  "all CPU us": medianOf(
    runs,
    ({ cpu }) => cpu.node + cpu.postgres + (Number.isNaN(cpu.callers) ? 0 : cpu.callers)
  )
})

/** Ticks of the clock in which Linux counts CPU time. */
const ticksPerSecond = 100

/** CPU seconds of a process and its threads, and of those of its children that have ended and that it has waited for. */
export interface Used {
  readonly own: number
  readonly endedChildren: number
}

export const usedBy = async (pid: number | undefined): Promise<Used> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  // The name of the program comes second, in parentheses, and may hold spaces; the times are the 14th to the 17th.
  const [user, system, childrenUser, childrenSystem] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map((ticks) => Number(ticks) / ticksPerSecond)
  const sum = (one = Number.NaN, other = Number.NaN) => one + other
  return { own: sum(user, system), endedChildren: sum(childrenUser, childrenSystem) }
}
