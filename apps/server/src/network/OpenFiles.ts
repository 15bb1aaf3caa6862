/** Whether the system lets this process hold as many connections as it may take: each is an open file. */
import { readFileSync } from "node:fs"

/** What is open besides: files of the program, and connections to the database, to receivers and to a bucket. */
const besides = 300

/** As many files as this process may open; null where the system does not say. Node has raised it as far as it may. */
export const openFilesMax = (): number | null => {
  try {
    const [, found] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? []
    return found === undefined ? null : Number(found)
  } catch {
    return null
  }
}

/** A line for the operator if the system allows less: it cuts off further callers, and nobody is told. */
export const tooFewFiles = (connectionsMax: number, filesMax: number | null): ReadonlyArray<string> =>
  filesMax === null || connectionsMax + besides <= filesMax
    ? []
    : [
        `RUNHOOK_MAX_CONNECTIONS is ${connectionsMax}, and the system lets this process open ${filesMax} files: callers beyond that are cut off without an answer; let it open more (ulimit -n, or LimitNOFILE of systemd), or set RUNHOOK_MAX_CONNECTIONS to ${Math.max(1, filesMax - besides)}`
      ]
