/** A service of several workers, and callers that keep it busy. */
import { type Agent, request as ask } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { apiAt } from "@runhook/test-support/world/Api"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import { makeBy, makeTenant, type Tenant, workOf } from "@runhook/test-support/world/Tenant"
import * as Effect from "effect/Effect"
import { eventually, request } from "../Http.ts"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"

export const adminKey = "an-admin-key-of-the-operator-himself"

/** Production, with as many requests as anybody likes. */
export const settingsOf = (more: Environment): Environment => ({
  RUNHOOK_ADMIN_KEY: adminKey,
  RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  RUNHOOK_ADMIN_RATE_LIMIT: "off",
  RUNHOOK_RATE_LIMIT: "off",
  RUNHOOK_WORKERS: "2",
  RUNHOOK_STOP_NOTICE: "0",
  ...more
})

/** The process of each worker that the log told of, in turn. */
export const pidsIn = (log: string, worker: number): ReadonlyArray<number> =>
  [...log.matchAll(new RegExp(`"Worker ${worker} answers requests","pid":(\\d+)`, "g"))].map(([, pid]) =>
    Number(pid)
  )

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Two workers that both answer. */
export const runningWorkers = Effect.fnUntraced(function* (more: Environment) {
  const dataDir = more["RUNHOOK_DATA_DIR"] ?? (yield* temporaryDirectory)
  const settings = settingsOf({ RUNHOOK_DATA_DIR: dataDir, ...more })
  const server = yield* runningServer(settings, ["serve"])
  /** The process that has the place, once it is not one of these. */
  const pidOf = (worker: number, but: ReadonlyArray<number> = []) =>
    eventually(
      Effect.sync(() => pidsIn(server.log(), worker).at(-1)),
      (pid) => pid !== undefined && !but.includes(pid)
    ).pipe(Effect.map((pid) => pid ?? 0))
  yield* pidOf(1)
  yield* pidOf(2)
  /** Waits until the log says this. */
  const logged = (words: string) =>
    eventually(
      Effect.sync(() => server.log().includes(words)),
      (isSaid) => isSaid
    )
  return { ...server, settings, pidOf, logged }
})

/** What the service says that it has measured. */
export const metricsOf = (baseUrl: string) =>
  Effect.flatMap(request(`${baseUrl}/metrics`), (answer) => Effect.promise(() => answer.text()))

/** How many requests of the admin API were answered so. */
export const countIn = (metrics: string, method: string, status: number): number => {
  const series = `runhook_http_request_duration_seconds_count{api="admin",method="${method}",status="${status}"} `
  return Number(
    metrics
      .split("\n")
      .find((line) => line.startsWith(series))
      ?.slice(series.length) ?? 0
  )
}

export interface Sending {
  readonly path: string
  readonly key: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request by an agent, or on a connection of its own; fails when it is not answered. */
export const sendBy =
  (baseUrl: string, agent: Agent | false) =>
  ({ body, headers, key, path }: Sending): Promise<{ readonly status: number; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const outgoing = ask(
        baseUrl + path,
        {
          agent,
          method: body === undefined ? "GET" : "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers }
        },
        (answer) => {
          let text = ""
          answer.setEncoding("utf8").on("data", (more: string) => (text += more))
          answer.on("error", reject).on("end", () => resolve({ status: answer.statusCode ?? 0, text }))
        }
      )
      outgoing.on("error", reject).end(body && JSON.stringify(body))
    })

/** A request that queues nothing for now. */
export const heldWork = (tenant: Tenant) => ({ ...workOf(tenant), params: {}, hold: true })

/** An account with all it takes to queue executions. */
export const makeTenantAt = (baseUrl: string) =>
  Effect.promise(() => makeTenant(makeBy(apiAt(baseUrl), adminKey)))

/** What became of the requests of callers, which ask until they are told to stop. */
export interface Load {
  readonly answered: () => number
  /** Answers that were no success, and requests without an answer. */
  readonly failures: ReadonlyArray<string>
  readonly stop: Effect.Effect<void>
}

/** Milliseconds a caller rests between two calls, which leaves the processors to the workers that start. */
const rest = 50

/** Calls again and again, each by several callers at once. */
export const loading = (
  calls: ReadonlyArray<() => Promise<{ readonly status: number; readonly text: string }>>
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const failures: Array<string> = []
      let answered = 0
      const over = new AbortController()
      const callers = calls.map(async (call) => {
        while (!over.signal.aborted) {
          try {
            const { status, text } = await call()
            if (status < 300) answered += 1
            else failures.push(`${status} ${text}`)
          } catch (error) {
            failures.push(String(error))
          }
          await pause(rest)
        }
      })
      const stop = Effect.promise(() => {
        over.abort()
        return Promise.all(callers)
      }).pipe(Effect.asVoid)
      return { answered: () => answered, failures, stop } satisfies Load
    }),
    ({ stop }) => stop
  )

/** Waits until so many more were answered. */
export const more = (load: Load, count: number) =>
  Effect.suspend(() => {
    const before = load.answered()
    return eventually(Effect.sync(load.answered), (answered) => answered - before >= count)
  })
