/** `@runhook/sdk/runner`: serves executions from a Node process. */
import { systemClock } from "../call/Clock.ts"
import { makeCalls } from "./Calls.ts"
import { type HeartbeatHost, startHeartbeatHost } from "./HeartbeatHost.ts"
import { type AnyTasks, completed, type RunnerOptions, type TaskTypes } from "./Options.ts"
import { messageOf } from "./Outcome.ts"
import { outageWatch } from "./Reporting.ts"
import { RunnerLoop } from "./RunnerLoop.ts"

export * from "../Errors.ts"
export type { Json, JsonObject } from "../wire/Integration.ts"
export type * from "./Context.ts"
export type { AnyTasks, RunnerOptions, TaskTypes } from "./Options.ts"
export type { ProblemKind, RunnerLogEntry, RunnerProblem } from "./Reporting.ts"
export { StoppedError, type StopKind, TaskCancelled, TaskError } from "./Stopping.ts"
export type { InputAnswer, Progress, TaskRef } from "../wire/Runner.ts"

export interface Runner extends AsyncDisposable {
  /** Resolves when the session is open. Rejects when the service refuses this runner; while it is away, goes on trying. */
  start(): Promise<void>
  /** Takes no more work; running work goes on. */
  drain(): void
  /** Drains, waits for what is in flight, and closes the session. After the grace, the signals of the handlers abort. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
  /**
   * Starts, and resolves when the runner has stopped, such as by a signal or
   * the service's own wish. The first signal stops, the second does so without
   * grace. Rejects when the service refuses this runner.
   */
  run(options?: {
    /** Signals that stop this runner; SIGTERM and SIGINT unless given, `[]` for none. */
    readonly signals?: ReadonlyArray<NodeJS.Signals>
  }): Promise<void>
}

/**
 * A runner of the tasks that it has handlers for. Wrong or missing options throw a `TypeError` that names them.
 *
 * @example
 * ```ts
 * // RUNHOOK_BASE_URL and RUNHOOK_RUNNER_KEY, unless `baseUrl` and `apiKey` are given.
 * const runner = createRunner({
 *   tasks: { greet: async ({ params }) => ({ text: `Hello ${params.name}` }) }
 * })
 * await runner.run()
 * ```
 */
export const createRunner = <Tasks extends { readonly [Slug in keyof Tasks]: TaskTypes[string] } = AnyTasks>(
  options: RunnerOptions<Tasks>
): Runner => {
  const clock = systemClock
  const settings = completed(options)
  const { apiKey, baseUrl, drainGraceMs, fetch, problem } = settings
  const address = { baseUrl, apiKey, fetch, log: outageWatch(settings) }
  const calls = makeCalls(address, clock)
  let heartbeats: HeartbeatHost | undefined
  const loop = new RunnerLoop({ settings, calls, clock, order: (order) => heartbeats?.take(order) })
  let opened: Promise<void> | undefined
  let ended: Promise<void> | undefined

  const open = async () => {
    const host = startHeartbeatHost({
      address,
      clock,
      tell: (news) => loop.obey(news),
      orders: () => loop.orders,
      onFallback: (reason) =>
        problem({
          kind: "heartbeats_beside_work",
          message: `heartbeats stop while work blocks the event loop, for their thread could not be started: ${reason}`
        })
    })
    heartbeats = host
    try {
      await loop.open()
    } catch (cause) {
      await host.stop()
      throw cause
    }
    ended = loop.serve().finally(() => host.stop())
    // For callers who do not await its end.
    ended.catch((cause: unknown) => problem({ kind: "refused", message: messageOf(cause) }))
  }
  const start: Runner["start"] = () => (opened ??= open())

  const stop: Runner["stop"] = async ({ graceMs = drainGraceMs } = {}) => {
    loop.drain()
    const cancel = clock.after(graceMs, () => loop.interrupt())
    try {
      await opened
      await ended
    } finally {
      cancel()
    }
  }

  const run: Runner["run"] = async ({ signals = ["SIGTERM", "SIGINT"] } = {}) => {
    let heard = 0
    // What goes wrong while it stops, `run` itself rejects with.
    const onSignal = () => void stop(heard++ === 0 ? {} : { graceMs: 0 }).catch(() => {})
    for (const signal of signals) process.on(signal, onSignal)
    try {
      await start()
      await ended
    } finally {
      for (const signal of signals) process.off(signal, onSignal)
    }
  }

  return { start, drain: () => loop.drain(), stop, run, [Symbol.asyncDispose]: () => stop() }
}
