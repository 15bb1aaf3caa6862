/** Runs named tests in a copy of the tree, and says how they ended. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { glob, readFile, readlink, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Schema from "effect/Schema"
import type { Copy } from "./Copy.ts"
import { type NamedTest, patternOf } from "./Fault.ts"

/** The results of the selected tests. */
export interface Ending {
  readonly passed: number
  readonly failed: number
  /** The output, to see why nothing ran. */
  readonly printed: string
}

/** Longest run, in milliseconds. A hanging run is ended, without a result. */
const runMax = 300_000
/** How long the tests may take to clean up, once they are asked to stop. */
const graceMax = 10_000

const Report = Schema.fromJsonString(
  Schema.Struct({ numPassedTests: Schema.Int, numFailedTests: Schema.Int })
)

/** Runs the tests of one file whose names match one of these. */
export const run = async (
  { folder, temporary }: Pick<Copy, "folder" | "temporary">,
  tests: ReadonlyArray<NamedTest>,
  interrupted: AbortSignal
): Promise<Ending> => {
  interrupted.throwIfAborted()
  const reportFile = join(folder, "mutation-report.json")
  await rm(reportFile, { force: true })
  const child = spawn(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...new Set(tests.map(({ file }) => file)),
      "-t",
      tests.map((test) => `(${patternOf(test)})`).join("|"),
      "--maxWorkers=1",
      "--reporter=json",
      `--outputFile=${reportFile}`
    ],
    { cwd: folder, env: { ...process.env, TMPDIR: temporary }, stdio: ["ignore", "pipe", "pipe"] }
  )
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (printed += text))
  const ended = once(child, "exit")
  const end = () => {
    child.kill("SIGINT")
    AbortSignal.timeout(graceMax).addEventListener("abort", () => child.kill("SIGKILL"))
  }
  const ending = AbortSignal.any([interrupted, AbortSignal.timeout(runMax)])
  ending.addEventListener("abort", end)
  await ended
  ending.removeEventListener("abort", end)
  if (ending.aborted) await endDatabases(temporary)
  interrupted.throwIfAborted()
  const report = await readFile(reportFile, "utf8").catch(() => undefined)
  if (report === undefined) return { passed: 0, failed: 0, printed }
  const { numFailedTests: failed, numPassedTests: passed } = Schema.decodeUnknownSync(Report)(report)
  return { passed, failed, printed }
}

/** Ends the databases of interrupted tests. Each has its process id in its folder. */
const endDatabases = async (temporary: string): Promise<void> => {
  for await (const file of glob("**/postmaster.pid", { cwd: temporary })) {
    const path = join(temporary, file)
    const pid = Number.parseInt(await readFile(path, "utf8"), 10)
    const works = await readlink(`/proc/${pid}/cwd`).catch(() => dirname(path))
    if (works === dirname(path)) process.kill(pid, "SIGQUIT")
  }
}
