/** Notes how much of the processors each test file took, for `SlowestFiles`. A setup file of every test file. */
import { readFileSync } from "node:fs"
import { afterAll, beforeAll } from "vitest"

declare module "vitest" {
  interface TaskMeta {
    /** Seconds of processor time of the process that ran the file, and of programs that ended meanwhile. */
    cpuSeconds?: number
  }
}

/** Ticks of the system's clock in a second: what Linux has counted in on every machine. */
const ticks = 100

/** Of programs that this process has started and that have ended; nothing where there is no /proc. */
const ofPrograms = (): number => {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8")
    // The name of the program, in parentheses, may have blanks.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(13, 15)
      .map(Number)
    return (user + system) / ticks
  } catch {
    return 0
  }
}

const soFar = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1_000_000 + ofPrograms()
}

let before = 0

beforeAll(() => {
  before = soFar()
})

// oxlint-disable-next-line no-empty-pattern -- The parser of fixtures takes no other form for none of them.
afterAll(({}, { file }) => {
  file.meta.cpuSeconds = soFar() - before
})
