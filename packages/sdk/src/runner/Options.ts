/** Options of a runner. */
import { hostname } from "node:os"
import { baseUrlVariable, given } from "../call/Settings.ts"
import type { JsonObject } from "../wire/Integration.ts"
import type { Handler } from "./Context.ts"
import { stackOf } from "./Outcome.ts"
import { type Log, logToOutput, type RunnerProblem } from "./Reporting.ts"

/** Params and result of tasks, by slug. */
export interface TaskTypes {
  readonly [slug: string]: { readonly params: object; readonly result: object | void }
}

/** Params and result of tasks without a described type. */
export interface AnyTasks {
  readonly [slug: string]: { readonly params: JsonObject; readonly result: object | void }
}

export interface RunnerOptions<
  Tasks extends { readonly [Slug in keyof Tasks]: TaskTypes[string] } = AnyTasks
> {
  /** Where the service is, such as `https://runhook.example.com`; the environment variable `RUNHOOK_BASE_URL` unless given. */
  readonly baseUrl?: string | undefined
  /** A runner key, `rhrun_…`; the environment variable `RUNHOOK_RUNNER_KEY` unless given. */
  readonly apiKey?: string | undefined
  /** The handler of each task, by slug. */
  readonly tasks: { readonly [Slug in keyof Tasks]: Handler<Tasks[Slug]["params"], Tasks[Slug]["result"]> }
  /** How many executions run at once; 1 unless given. */
  readonly capacity?: number | undefined
  /** Shown to operators; the host's name unless given. */
  readonly name?: string | undefined
  /** Shown to operators. */
  readonly version?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** The agents to serve; all that the key may serve unless given. */
  readonly agentIds?: ReadonlyArray<string> | undefined
  /**
   * The name of this process, unique at any time. A process that restarts under
   * its name takes up the work it still holds; random unless given, and then
   * that work ends with its leases.
   */
  readonly instanceId?: string | undefined
  /**
   * What happens to work that an earlier process of this instance had started:
   * `fail` (unless given) reports an error that may be retried, `resume` calls
   * the handler again, with `is_resumed`, under the same attempt.
   */
  readonly recover?: "fail" | "resume" | undefined
  /** How long `stop` lets handlers finish before their signals abort, in milliseconds; 25,000 unless given, `Infinity` for no limit. */
  readonly drainGraceMs?: number | undefined
  /** Sends the requests; the runtime's own `fetch` unless given. With your own, heartbeats stop while the work blocks the event loop. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Receives log entries; lines of JSON on standard output, with the time, unless given. */
  readonly log?: Log | undefined
  /** Receives problems that need attention. They are in the log too: at level error when an attempt failed, with the stack, else at warn. */
  readonly onProblem?: ((problem: RunnerProblem) => void) | undefined
}

/** The options, checked and completed, except for what the service checks. */
export const completed = <Tasks extends { readonly [Slug in keyof Tasks]: TaskTypes[string] }>({
  capacity = 1,
  drainGraceMs = 25_000,
  instanceId = crypto.randomUUID(),
  log = logToOutput,
  name = hostname(),
  onProblem,
  recover = "fail",
  tasks,
  ...options
}: RunnerOptions<Tasks>) => {
  if (!Number.isInteger(capacity) || capacity < 1)
    throw new TypeError("capacity must be a whole number above 0")
  if (!(drainGraceMs >= 0)) throw new TypeError("drainGraceMs must be a number that is not negative")
  const handlers: ReadonlyMap<string, Handler<JsonObject>> = new Map(Object.entries<Handler>(tasks))
  return {
    ...options,
    apiKey: given("apiKey", options.apiKey, "RUNHOOK_RUNNER_KEY"),
    baseUrl: given("baseUrl", options.baseUrl, baseUrlVariable),
    capacity,
    drainGraceMs,
    handlers,
    instanceId,
    log,
    name,
    recover,
    problem: (problem: RunnerProblem) => {
      const { attempt, cause, kind, ...entry } = problem
      const failed = attempt !== undefined && { attempt, stack: stackOf(cause) }
      log({ level: failed ? "error" : "warn", ...entry, fields: { kind, ...failed } })
      onProblem?.(problem)
    }
  }
}

export type RunnerSettings = ReturnType<typeof completed>
