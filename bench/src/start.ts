/** How long the service takes until it is ready, with its own database, and what memory it has while nothing happens. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { Bench } from "./Bench.ts"
import * as Program from "./Program.ts"
import { medianOf, printTable, progress } from "./Report.ts"
import { childrenOf } from "./ServerProcesses.ts"
import { residentBytes, serverBytes } from "./soak/Processes.ts"

const fileOf = (path: string) => fileURLToPath(new URL(`../../apps/server/${path}`, import.meta.url))

const sides = { "as installed": fileOf("start.mjs"), "its sources": fileOf("src/main.ts") }

interface Started {
  readonly seconds: number
  readonly cpuSeconds: number
  /** In MiB. */
  readonly atReady: number
  readonly idle: number
  readonly postgres: number
}

const mebibyte = 1_048_576

export const start: Bench = async ({ folder, quick, resources }) => {
  const rounds = quick ? 1 : 5
  const idleMillis = quick ? 100 : 60_000
  const secretKey = randomBytes(32).toString("base64")
  const adminKey = randomBytes(32).toString("hex")

  const startOne = async (file: string, data: string): Promise<Started> => {
    const own = resources.use(new AsyncDisposableStack())
    const begun = performance.now()
    const program = await Program.start(
      {
        args: [file, "serve"],
        environment: {
          RUNHOOK_MODE: "production",
          // Nothing is measured of the end.
          RUNHOOK_STOP_NOTICE: "0",
          RUNHOOK_PORT: "0",
          RUNHOOK_ADMIN_KEY: adminKey,
          RUNHOOK_SECRET_KEY: secretKey,
          RUNHOOK_DATA_DIR: join(folder, data)
        },
        ready: /"url":"(http:\/\/[^\s"/]+)/
      },
      own
    )
    const answer = await fetch(`${program.said}/readyz`)
    const seconds = (performance.now() - begun) / 1_000
    if (!answer.ok) throw new Error(`It is not ready: ${await answer.text()}`)
    const cpuSeconds = await program.cpuSeconds()
    const atReady = (await residentBytes(program.pid)) / mebibyte
    await pause(idleMillis)
    const idle = (await residentBytes(program.pid)) / mebibyte
    const [postmaster] = program.pid === undefined ? [] : await childrenOf(program.pid)
    const postgres = (await serverBytes(postmaster)) / mebibyte
    await own.disposeAsync()
    return { seconds, cpuSeconds, atReady, idle, postgres }
  }

  const rows = Object.entries(sides).map(([name, file]) => ({
    name,
    file,
    first: new Array<Started>(),
    later: new Array<Started>()
  }))
  for (let round = 0; round <= rounds; round++) {
    for (const { file, first, later, name } of rows) {
      progress(`start: ${name}, round ${round} of ${rounds}`)
      // The first finds an empty folder, and makes the database.
      const into = round === 0 ? first : later
      into.push(await startOne(file, name.replaceAll(" ", "-")))
    }
  }
  printTable(
    "start",
    rows.flatMap(({ first, later, name }) =>
      [
        { folder: "empty", runs: first },
        { folder: "of an earlier start", runs: later }
      ].map(({ folder: found, runs }) => ({
        side: name,
        folder: found,
        "seconds until ready": medianOf(runs, (run) => run.seconds),
        "Node CPU seconds": medianOf(runs, (run) => run.cpuSeconds),
        "Node MiB when ready": medianOf(runs, (run) => run.atReady),
        "after a minute": medianOf(runs, (run) => run.idle),
        "PostgreSQL MiB": medianOf(runs, (run) => run.postgres)
      }))
    )
  )
}
