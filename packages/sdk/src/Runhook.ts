/** `@runhook/sdk`: a client of the integration API for every runtime with `fetch`. */
import type { Call } from "./call/Answer.ts"
import { systemClock } from "./call/Clock.ts"
import type { ApiRequest } from "./call/Request.ts"
import type { CallOptions, RunhookOptions } from "./call/Settings.ts"
import { makeClient } from "./Client.ts"
import type { Agents, Tasks } from "./resources/Catalog.ts"
import type { Deliveries } from "./resources/Deliveries.ts"
import type { Executions } from "./resources/Executions.ts"
import type { Files } from "./resources/Files.ts"
import type { Webhooks } from "./resources/Webhooks.ts"

export type { Answered, Call } from "./call/Answer.ts"
export type { List } from "./call/List.ts"
export type { LogEntry } from "./call/Log.ts"
export type { ApiRequest } from "./call/Request.ts"
export type { CallOptions, Limits, OutgoingRequest, RunhookOptions } from "./call/Settings.ts"
export * from "./Errors.ts"
export type { CreateOptions, GetOptions, WaitOptions } from "./resources/Executions.ts"
export { isFinished } from "./resources/Finished.ts"
export type { FileLink } from "./resources/Files.ts"
export type * from "./wire/Integration.ts"

/**
 * A client of one key. Its calls retry what is safe to retry, and reject with
 * a `RunhookError`, or with the reason of the signal that aborted them. What
 * cannot be sent at all, such as an empty id, throws a `TypeError` at once.
 *
 * ```ts
 * // RUNHOOK_BASE_URL and RUNHOOK_API_KEY; new Runhook({ baseUrl, apiKey }) takes others.
 * const runhook = new Runhook()
 * const { status, result } = await runhook.executions.createAndWait({ agent_id, task_id, params })
 * ```
 */
export class Runhook {
  /** Queue executions, follow them, stop them. */
  readonly executions: Executions
  /** The bytes of what runs captured. */
  readonly files: Files
  /** The tasks that the key may execute. */
  readonly tasks: Tasks
  /** The agents that the key may use. */
  readonly agents: Agents
  /** Try out a webhook receiver. */
  readonly webhooks: Webhooks
  /** What became of the webhooks, attempt by attempt. */
  readonly deliveries: Deliveries
  /** Calls what has no method here, with the same key, retries and errors. The answer's type is yours to say. */
  readonly request: <A>(request: ApiRequest, options?: CallOptions) => Call<A>

  constructor(options: RunhookOptions = {}) {
    const { agents, deliveries, executions, files, request, tasks, webhooks } = makeClient(
      options,
      systemClock
    )
    this.executions = executions
    this.files = files
    this.tasks = tasks
    this.agents = agents
    this.webhooks = webhooks
    this.deliveries = deliveries
    this.request = request
  }
}
