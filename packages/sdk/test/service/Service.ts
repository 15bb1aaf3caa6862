/** The service as it really runs, a process of its own, and all its calls without the client. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** What the run of the tests has made of the sources. */
const program = fileURLToPath(new URL("../../../../apps/server/dist/runhook.mjs", import.meta.url))
const withTimings = new URL("./Timings.ts", import.meta.url).href
export const adminKey = "the-admin-key-of-the-tests-of-the-sdk"

/** A request of any of the APIs. */
export interface RawCall {
  readonly key: string
  /** Below `/api/v1`. */
  readonly path: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Service extends AsyncDisposable {
  readonly url: string
  /** Sends a request by hand and gives its answer as it comes. */
  raw(call: RawCall): Promise<Response>
  /** The body of a success; anything else fails the test. */
  json<A>(call: RawCall): Promise<A>
  /** The same, with the admin key and below `/admin/accounts`. */
  admin<A>(path: string, body: unknown): Promise<A>
  /** Ends its process in the middle of whatever it does. */
  kill(): Promise<void>
}

/** Seconds of what every service gives to runners, where it is to be others than the usual. */
export interface RunnerTimings {
  readonly heartbeat?: number
  readonly lease?: number
  readonly pollWait?: number
}

/** Heartbeats and polls come and go while a test looks. */
export const shortRounds: RunnerTimings = { heartbeat: 0.2, pollWait: 0.5 }

/** And a test can outlast a lease. */
export const shortLeases: RunnerTimings = { ...shortRounds, lease: 5 }

/** Polls wait for longer than a test does, so that what waits for one is never told. */
export const longPolls: RunnerTimings = { pollWait: 60 }

export interface ServiceOptions {
  readonly timings?: RunnerTimings
  /** Keeps what it knows in this directory; it keeps nothing unless given. */
  readonly directory?: string
}

/** Starts the service on a free port, with nothing in it. */
export const startService = async ({ directory: kept, timings }: ServiceOptions = {}): Promise<Service> => {
  const directory = kept ?? (await mkdtemp(join(tmpdir(), "runhook-sdk-")))
  const imports = timings === undefined ? [] : ["--import", withTimings]
  // New objects of a start outlive it or are dead soon: with room for them all, it costs an eighth less.
  const child = spawn(process.execPath, ["--min-semi-space-size=64", ...imports, program], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      RUNHOOK_MODE: "development",
      RUNHOOK_STORE: kept === undefined ? "memory" : "postgres",
      RUNHOOK_DEMO: "off",
      RUNHOOK_PORT: "0",
      RUNHOOK_DATA_DIR: directory,
      RUNHOOK_ADMIN_KEY: adminKey,
      TEST_RUNNER_TIMINGS: JSON.stringify(timings ?? {})
    },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const exited = once(child, "exit")
  const url = await urlIn(child.stderr)

  const raw: Service["raw"] = ({ body, headers, key, method = body === undefined ? "GET" : "POST", path }) =>
    fetch(`${url}/api/v1${path}`, {
      method,
      redirect: "manual",
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })

  const json = async <A>(call: RawCall): Promise<A> => {
    const answer = await raw(call)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${call.path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }

  return {
    url,
    raw,
    json,
    admin: (path, body) => json({ key: adminKey, path: `/admin/accounts${path}`, body }),
    async kill() {
      child.kill("SIGKILL")
      await exited
    },
    async [Symbol.asyncDispose]() {
      // What it is to keep, it must be able to put away.
      child.kill(kept === undefined ? "SIGKILL" : "SIGTERM")
      await exited
      if (kept === undefined) await rm(directory, { recursive: true, force: true })
    }
  }
}

const urlIn = async (log: NodeJS.ReadableStream): Promise<string> => {
  const lines: Array<string> = []
  for await (const line of createInterface(log)) {
    lines.push(line)
    const url = /"url":"([^"]+)"/.exec(line)?.[1]
    if (url === undefined) continue
    // Nothing reads on, and a full pipe would stop the service.
    log.resume()
    return url
  }
  throw new Error(`The service ended without saying where it listens:\n${lines.join("\n")}`)
}
