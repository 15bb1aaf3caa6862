/** The calls of a runner: each goes on until it is answered or its signal aborts. */
import type { Clock } from "../call/Clock.ts"
import type { LogEntry } from "../call/Log.ts"
import { type RunhookOptions, settingsWith } from "../call/Settings.ts"
import { readNothing } from "../promise/Answer.ts"
import { makeSend } from "../promise/Send.ts"
import type { Promises } from "../promise/Types.ts"
import { runner } from "../requests/Runner.ts"

/** Longest wait for the answer of one attempt, beyond the wait that is asked for, in milliseconds. */
export const attemptTimeoutMs = 15_000

/** The service's address and the key: all that the heartbeat thread needs. */
export interface Address {
  readonly baseUrl: string
  /** A runner key, `rhrun_…`. */
  readonly apiKey: string
}

export interface CallsOptions extends Address {
  readonly fetch?: RunhookOptions["fetch"]
  readonly log?: ((entry: LogEntry) => void) | undefined
}

export type Calls = ReturnType<typeof runner<Promises>>

export const makeCalls = (options: CallsOptions, clock: Clock): Calls => {
  const limits = { attemptTimeoutMs, retries: Infinity, timeoutMs: Infinity }
  const called = { api: "runner", apiKey: options.apiKey }
  const send = makeSend(settingsWith({ ...options, ...limits }, called), clock)
  return runner<Promises>({
    call: (request) => send(request),
    nothing: (request) => send(request, readNothing)
  })
}
