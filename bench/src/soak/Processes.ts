/** Memory and descriptors of processes; NaN if the system does not say. */
import { readdir, readFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { childrenOf } from "../ServerProcesses.ts"

const Memory = Schema.fromJsonString(Schema.Struct({ rss: Schema.Finite, heap: Schema.Finite }))

/** What `MemoryReport` last told. */
export const memoryOf = async (file: string): Promise<typeof Memory.Type> => {
  const report = await readFile(file, "utf8").catch(() => undefined)
  return report === undefined
    ? { rss: Number.NaN, heap: Number.NaN }
    : Schema.decodeUnknownSync(Memory)(report)
}

/** Files, sockets and pipes that a process has open. */
export const descriptorsOf = async (pid: number | undefined): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`).catch(() => undefined))?.length ?? Number.NaN

const fieldOf = (text: string, name: string): number | undefined => {
  const [, found] = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text) ?? []
  return found === undefined ? undefined : Number(found)
}

/** Bytes that the server and its children have in memory; what several of them share is counted once. */
export const serverBytes = async (postmaster: number | undefined): Promise<number> => {
  if (postmaster === undefined) return Number.NaN
  const bytes = [postmaster, ...(await childrenOf(postmaster))].map(async (pid) => {
    const memory = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "")
    return 1_024 * (fieldOf(memory, "Pss") ?? 0)
  })
  return (await Promise.all(bytes)).reduce((sum, each) => sum + each, 0) || Number.NaN
}
