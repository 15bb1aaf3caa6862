/** One HTTP call, tried until it is answered, refused for good, or no longer wanted. */
import { randomInt } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"

const firstPauseMs = 250
const longestPauseMs = 10_000

export interface Call {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Longest time one try may take, in milliseconds. */
  readonly timeoutMs: number
}

/** The service refused the call; repeating it would not help. */
export class Refused extends Error {
  override readonly name = "Refused"
  readonly status: number
  /** `details.reason` of the service's error object, where it gives one. */
  readonly reason: string | undefined

  constructor(refusal: {
    readonly status: number
    readonly reason: string | undefined
    readonly message: string
  }) {
    super(refusal.message)
    this.status = refusal.status
    this.reason = refusal.reason
  }

  get isLeaseLost(): boolean {
    return this.status === 409 && this.reason === "lease_lost"
  }
}

/**
 * Answers a 2xx response. Network errors, time-outs, 429 and 5xx are tried
 * again with growing pauses until `signal` aborts; all else throws `Refused`.
 * Safe because every call of the runner API may be repeated.
 */
export const send = async (call: Call, signal: AbortSignal): Promise<Response> => {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    signal.throwIfAborted()
    const response = await tryOnce(call, signal)
    if (response?.ok) return response
    if (response && response.status < 500 && response.status !== 429) throw await refusalOf(call, response)
    await response?.body?.cancel()
    // Between half and all of the pause, so that runners do not come back in step.
    const askedMs = 1_000 * Number(response?.headers.get("retry-after") ?? 0) || 0
    await pause(Math.max(askedMs, randomInt(pauseMs / 2, pauseMs)), undefined, { signal })
  }
}

/** Undefined when no answer came. */
const tryOnce = async (call: Call, signal: AbortSignal): Promise<Response | undefined> => {
  try {
    return await fetch(call.url, {
      method: call.method,
      headers: call.headers,
      body: call.body ?? null,
      signal: AbortSignal.any([signal, AbortSignal.timeout(call.timeoutMs)])
    })
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** The error object every refusal of the service carries; a storage's answer may have none. */
interface ErrorBody {
  readonly error?: { readonly message?: string; readonly details?: { readonly reason?: string } | null }
}

const refusalOf = async (call: Call, response: Response): Promise<Refused> => {
  const { error } = await response.json().then(
    (body) => body as ErrorBody,
    (): ErrorBody => ({})
  )
  const { pathname } = new URL(call.url)
  return new Refused({
    status: response.status,
    reason: error?.details?.reason,
    message: `${call.method} ${pathname} answered ${response.status}: ${error?.message ?? response.statusText}`
  })
}
