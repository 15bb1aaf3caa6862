/** What single calls may say, beside their arguments. */
import type { CallOptions } from "../call/Settings.ts"
import type { CreateFields, GetFields, WaitFields } from "../requests/Executions.ts"

export interface CreateOptions extends CallOptions, CreateFields {}

export interface GetOptions extends CallOptions, GetFields {}

/** Limits of a wait. Its looks are repeated until it is over, so they have none but that of each attempt. */
export interface WaitLimits extends Omit<CallOptions, "retries" | "timeoutMs"> {
  /** Longest wait in milliseconds, after which it rejects with a `TimeoutError`; no limit unless given. */
  readonly waitMs?: number | undefined
}

export interface WaitOptions extends WaitLimits, WaitFields {}
