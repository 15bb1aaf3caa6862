/** Options of a client, and what a single call may override. */
import { environment } from "./Environment.ts"
import type { LogEntry } from "./Log.ts"

/** Limits of a call. Those of a single call override those of the client. */
export interface Limits {
  /**
   * Attempts after the first, 0 for none. Unless given: 10 after no answer, 502, 503 or 504, some
   * half a minute, so that a call survives a restart of the service; 3 after anything else.
   */
  readonly retries?: number | undefined
  /** Longest wait for the answer of one attempt, in milliseconds; 30,000 unless given. A download counts until its first byte. */
  readonly attemptTimeoutMs?: number | undefined
  /** Longest time for the call with all its attempts and the pauses between, in milliseconds; 120,000 unless given, `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined
}

/** Options of a single call. */
export interface CallOptions extends Limits {
  /** Ends the call at once, also between two attempts. The call rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Headers to add, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface RunhookOptions extends Limits {
  /** Where the service is, such as `https://runhook.example.com`; the environment variable `RUNHOOK_BASE_URL` unless given. */
  readonly baseUrl?: string | undefined
  /**
   * An integration key, `rhlive_…`; the environment variable `RUNHOOK_API_KEY` unless given. It is sent to this
   * service's API and nowhere else.
   */
  readonly apiKey?: string | undefined
  /** Sends the requests; the runtime's own `fetch` unless given. It sees the key. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Called before every attempt, and may set headers; the key is added afterwards. If it throws, the call ends with that error. */
  readonly onRequest?: ((request: OutgoingRequest) => void | Promise<void>) | undefined
  /** Called after every answer, before its body is read. If it throws, the call ends with that error. */
  readonly onResponse?: ((response: Response) => void | Promise<void>) | undefined
  /** Receives log entries, without secrets: for example `console.debug`. Silent unless given. */
  readonly log?: ((entry: LogEntry) => void) | undefined
}

/** An attempt that is about to be made. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  /** From 1. */
  readonly attempt: number
  readonly headers: Headers
}

/** The limits; only the number of attempts may depend on the failure. */
export interface StandingLimits extends Limits {
  readonly attemptTimeoutMs: number
  readonly timeoutMs: number
}

const defaults: StandingLimits = { attemptTimeoutMs: 30_000, timeoutMs: 120_000 }

export type Settings = ReturnType<typeof settingsOf>

/** An option, or else its environment variable. */
export const given = (
  option: "adminKey" | "apiKey" | "baseUrl",
  value: string | undefined,
  variable: string
): string => {
  const found = value ?? environment(variable)
  if (!found) throw new TypeError(`${option} is missing: pass it, or set ${variable} in the environment`)
  return found
}

export const baseUrlVariable = "RUNHOOK_BASE_URL"

/** The options, checked and completed, for the integration API. */
export const settingsOf = (options: RunhookOptions) =>
  settingsWith(options, {
    api: "integrations",
    apiKey: given("apiKey", options.apiKey, "RUNHOOK_API_KEY")
  })

/** Which API is called, and with what. */
interface Called {
  readonly api: string
  /** Null for a person signed in to the page: the browser sends their cookie. */
  readonly apiKey: string | null
}

/** The same for another way to call. */
export const settingsWith = ({ fetch, ...options }: RunhookOptions, called: Called) => {
  const { api } = called
  // A key from a file ends with its line.
  const apiKey = called.apiKey?.trim() ?? null
  const baseUrl = given("baseUrl", options.baseUrl, baseUrlVariable)
  // A key that no header can hold would be quoted in the message of the runtime's own error.
  if (apiKey !== null && !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError("apiKey must be a key of visible ASCII characters")
  }
  // With the API's own path every call would be of an endpoint that there is not.
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username + url.password ||
    /\/api\/v1\b/.test(url.pathname)
  ) {
    throw new TypeError("baseUrl must be an http or https URL without user info or /api/v1")
  }
  return {
    ...options,
    limits: limitsOf(options, defaults),
    apiKey,
    apiRoot: `${url.origin}${url.pathname.replace(/\/+$/, "")}/api/v1/${api}`,
    // The runtime's own fetch is looked up for each call, since tools replace it, and is no method of the settings.
    fetch: fetch ?? ((...args: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...args))
  }
}

/** The limits, completed by those that stand unless given. */
export const limitsOf = (
  own: Limits & { readonly waitMs?: number | undefined },
  standing: StandingLimits
): StandingLimits => {
  const limits = {
    retries: own.retries ?? standing.retries,
    attemptTimeoutMs: own.attemptTimeoutMs ?? standing.attemptTimeoutMs,
    timeoutMs: own.timeoutMs ?? standing.timeoutMs
  }
  for (const [name, value = 0] of Object.entries({ ...limits, waitMs: own.waitMs })) {
    if (!(value >= 0)) throw new TypeError(`${name} must be a number that is not negative`)
  }
  return limits
}
