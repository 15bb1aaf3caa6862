/** Options of a client, and what a single call may override. */
import * as Duration from "effect/Duration"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import { settingsOf } from "../call/Settings.ts"
import type { CreateFields, GetFields } from "../requests/Options.ts"
import type { WaitFields } from "../requests/ExecutionWaits.ts"

/** Limits of a call. Those of a single call override those of the client. */
export interface CallOptions {
  /**
   * Attempts after the first, 0 for none. Unless given: 10 after no answer, 502, 503 or 504, some half a minute,
   * so that a call survives a restart of the service; 3 after anything else.
   */
  readonly retries?: number | undefined
  /** Longest wait for the answer of one attempt; 30 seconds unless given. A download counts until its first byte. */
  readonly attemptTimeout?: Duration.Input | undefined
  /** Longest time for the call with all its attempts and the pauses between; 2 minutes unless given. */
  readonly timeout?: Duration.Input | undefined
}

export interface CreateOptions extends CallOptions, CreateFields {}

export interface GetOptions extends CallOptions, GetFields {}

/** Limits of a wait. Its requests are repeated until it is over, so they have no limit but that of each attempt. */
export interface WaitLimits extends Pick<CallOptions, "attemptTimeout"> {}

export interface WaitOptions extends WaitLimits, WaitFields {}

export interface RunhookOptions extends CallOptions {
  /** Where the service is, such as `https://runhook.example.com`. */
  readonly baseUrl: string
  /** An integration key, `rhlive_…`. It is sent to this service's API and nowhere else. */
  readonly apiKey: Redacted.Redacted
}

/** The limits in milliseconds, the unit of both clients. */
export const limitsIn = ({ attemptTimeout, retries, timeout }: CallOptions) => ({
  retries,
  attemptTimeoutMs: attemptTimeout === undefined ? undefined : Duration.toMillis(attemptTimeout),
  timeoutMs: timeout === undefined ? undefined : Duration.toMillis(timeout)
})

/** The options, checked and completed. Throws a `TypeError` that names what is wrong. */
export const completed = (options: RunhookOptions, http: HttpClient.HttpClient) => {
  const { apiKey: key, baseUrl, ...limits } = options
  const { apiKey, ...settings } = settingsOf({ baseUrl, apiKey: Redacted.value(key), ...limitsIn(limits) })
  return { apiKey: Redacted.make(apiKey ?? ""), apiRoot: settings.apiRoot, limits: settings.limits, http }
}

export type Settings = ReturnType<typeof completed>
