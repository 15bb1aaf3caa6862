/** Options of single calls. */
import type { CallOptions } from "../call/Settings.ts"
import type { CreateFields, GetFields } from "../requests/Options.ts"
import type { WaitFields } from "../requests/ExecutionWaits.ts"

export interface CreateOptions extends CallOptions, CreateFields {}

export interface GetOptions extends CallOptions, GetFields {}

/** Limits of a wait. Its requests are repeated until it is over, so they have no limit but that of each attempt. */
export interface WaitLimits extends Omit<CallOptions, "retries" | "timeoutMs"> {
  /** Longest wait in milliseconds, after which it rejects with a `TimeoutError`; no limit unless given. */
  readonly waitMs?: number | undefined
}

export interface WaitOptions extends WaitLimits, WaitFields {}
