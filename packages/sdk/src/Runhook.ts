/** `@runhook/sdk`: a client of the integration API for every runtime with `fetch`. */
import { systemClock } from "./call/Clock.ts"
import type { RunhookOptions } from "./call/Settings.ts"
import { makeClient, type RunhookClient } from "./promise/Client.ts"

export type { LogEntry } from "./call/Log.ts"
export type { CallOptions, Limits, OutgoingRequest, RunhookOptions } from "./call/Settings.ts"
export * from "./Errors.ts"
export type { Answered, Call } from "./promise/Answer.ts"
export type { List } from "./promise/List.ts"
export type { CreateOptions, GetOptions, WaitOptions } from "./promise/Options.ts"
export type { FileLink } from "./requests/Files.ts"
export { isFinished } from "./requests/Finished.ts"
export type { ApiRequest } from "./requests/Request.ts"
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
export class Runhook implements RunhookClient {
  /** Queue executions, follow them, stop them. */
  declare readonly executions: RunhookClient["executions"]
  /** Executions that are created again and again. */
  declare readonly schedules: RunhookClient["schedules"]
  /** Files that runs captured. */
  declare readonly files: RunhookClient["files"]
  /** The tasks that the key may execute. */
  declare readonly tasks: RunhookClient["tasks"]
  /** The agents that the key may use. */
  declare readonly agents: RunhookClient["agents"]
  /** Try out a webhook receiver. */
  declare readonly webhooks: RunhookClient["webhooks"]
  /** Webhook deliveries, attempt by attempt. */
  declare readonly deliveries: RunhookClient["deliveries"]
  /** What is wrong in the account, and who is told of it. */
  declare readonly alerts: RunhookClient["alerts"]
  /**
   * The calling key: what it may do, and its limits beside what it has of them.
   *
   * @example
   * ```ts
   * const { live, max_live } = await runhook.me()
   * ```
   */
  declare readonly me: RunhookClient["me"]
  /**
   * Calls what has no method here, with the same key, retries and errors. The answer's type is yours to say; it is null where there is no body.
   *
   * @example
   * ```ts
   * const document = await runhook.request<object>({ method: "GET", path: "/openapi.json" })
   * ```
   */
  declare readonly request: RunhookClient["request"]

  constructor(options: RunhookOptions = {}) {
    Object.assign(this, makeClient(options, systemClock))
  }
}
