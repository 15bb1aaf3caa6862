/** A measured Node process, with its CPU time; ended by its own id. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { type Counted, usedBy } from "./Cpu.ts"

/** CPU time is that of the process with its threads. */
export interface Program extends Counted {
  /** Undefined where it could not be started. */
  readonly pid: number | undefined
  /** What the pattern's first group caught in what it printed when it was ready. */
  readonly said: string
}

export interface Options {
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  /** What it prints once it is ready. */
  readonly ready: RegExp
}

const startMillisMax = 60_000

/** Starts Node on the arguments and waits until it is ready. It is asked to end, and waited for, with the resources. */
export const start = async (options: Options, resources: AsyncDisposableStack): Promise<Program> => {
  const child = spawn(process.execPath, options.args, {
    env: {
      PATH: process.env["PATH"],
      // The tests have their code compiled once.
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...options.environment
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = once(child, "exit")
  resources.defer(async () => {
    child.kill("SIGTERM")
    await ended
  })
  return {
    pid: child.pid,
    said: await saying(child, options.ready),
    cpuSeconds: async () => (await usedBy(child.pid)).own
  }
}

/** Reads until the pattern is there; what is printed later is read and forgotten, so that the program never waits. */
const saying = (child: ChildProcessByStdio<null, Readable, Readable>, ready: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = ""
    const fail = () => reject(new Error(`A program did not start: ${printed}`))
    const listen = (text: Buffer) => {
      printed += text
      const found = ready.exec(printed)?.[1]
      if (found === undefined) return
      for (const stream of [child.stdout, child.stderr]) stream.off("data", listen).resume()
      resolve(found)
    }
    for (const stream of [child.stdout, child.stderr]) stream.on("data", listen)
    child.once("exit", fail)
    AbortSignal.timeout(startMillisMax).addEventListener("abort", fail)
  })
