/** The service as users run it: a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { EventEmitter, once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** What `start.mjs` starts, once it has read all sources to see that it is made of them; the run of the tests has made it. */
const program = fileURLToPath(new URL("../../../../apps/server/dist/runhook.mjs", import.meta.url))

export type Environment = Readonly<Record<string, string>>

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServiceProcess {
  readonly child: ChildProcess
  /** What it has printed until now. */
  readonly output: { readonly stdout: string; readonly stderr: string }
  readonly ended: Promise<Ended>
  /** The first match in what it prints; rejects when it ends without one. */
  readonly says: (wanted: RegExp) => Promise<RegExpExecArray>
}

export interface StartOptions {
  readonly args?: ReadonlyArray<string>
  readonly environment?: Environment
  readonly input?: string
  /** Another file than the one that is made of the sources. */
  readonly file?: string
  /** For Node. */
  readonly options?: ReadonlyArray<string>
}

export const startProcess = ({
  args = [],
  environment = {},
  file = program,
  input = "",
  options = []
}: StartOptions = {}): ServiceProcess => {
  // New objects of a start outlive it or are dead soon: with room for them all, it costs an eighth less.
  const child = spawn(process.execPath, ["--min-semi-space-size=64", ...options, file, ...args], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      RUNHOOK_PORT: "0",
      ...environment
    }
  })
  const news = new EventEmitter()
  const output = { stdout: "", stderr: "" }
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text
      news.emit("news")
    })
  }
  child.stdin.end(input)
  let hasEnded = false
  const ended = once(child, "close").then(() => {
    hasEnded = true
    news.emit("news")
    return { code: child.exitCode, ...output }
  })
  const says = async (wanted: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const said = output.stdout + output.stderr
      const found = wanted.exec(said)
      if (found !== null) return found
      if (hasEnded) throw new Error(`It ended without saying ${wanted}:\n${said}`)
      await once(news, "news")
    }
  }
  return { child, output, ended, says }
}

/** Where a server says that it listens. */
const listens = /(?:Start here +|"url":")(http:\/\/[^\s"]+?)\/?["\s]/

/** Waits until a server answers requests, and gives its URL. */
export const urlOf = async ({ says }: ServiceProcess): Promise<string> => (await says(listens))[1] ?? ""

/** A directory of a test alone, with a name that careless quoting breaks. */
export const makeDirectory = () => mkdtemp(join(tmpdir(), "runhook it's a test "))

/** The database of a killed server may still be ending in it. */
export const removeDirectory = (directory: string) =>
  rm(directory, { recursive: true, force: true, maxRetries: 10 })
