/** Requests to the service, wherever it is at the moment; each is written down, however it ends. */
import { setTimeout as pause } from "node:timers/promises"
import type { Requested } from "../history/History.ts"
import type { Recorder } from "./Recorder.ts"

/** What is called. */
export interface Service {
  /** Where a life of it takes requests; undefined while there is none. */
  url(): string | undefined
}

/** Milliseconds after which a caller gives up. */
export const patience = 60_000

/** Milliseconds until a caller tries again. */
const beforeRetry = 100

/** Far more than a caller needs in the longest of faults. */
const triesMax = 3_000

export interface Call {
  readonly key: string
  readonly path: string
  readonly method?: "DELETE" | "GET" | "POST"
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds for which the answer may be held back. */
  readonly wait?: number
}

/** Any answer of the service; the checker judges it. */
export type Body = ReturnType<typeof JSON.parse>

export interface Answer {
  readonly status: number
  readonly body: Body
  readonly sentAt: number
  readonly at: number
}

export interface Calls {
  /** Where requests go at the moment; undefined when nowhere. */
  readonly service: Service
  /** Calls once; undefined when no answer came. */
  once(call: Call): Promise<Answer | undefined>
  /** Calls until an answer says yes, or no for good. */
  insist(call: Call): Promise<Answer>
}

/** What a caller does not take for an answer. */
const isNoAnswer = (status: number): boolean => status >= 500 || status === 429

export const callsOf = (service: Service, recorder: Recorder): Calls => {
  const once = async (call: Call): Promise<Answer | undefined> => {
    const life = service.url()
    if (life === undefined) return undefined
    const sentAt = recorder.now()
    const name = `${methodOf(call)} ${call.path}`
    const note = (how: Pick<Requested, "error" | "outcome" | "retryAfter">) => {
      const at = recorder.now()
      recorder.note({ is: "requested", call: name, life, sentAt, at, wait: call.wait ?? 0, ...how })
      return at
    }
    try {
      const response = await fetch(`${life}/api/v1${call.path}`, optionsOf(call))
      const text = await response.text()
      const body: Body = text === "" ? undefined : JSON.parse(text)
      const { headers, ok, status } = response
      const refusal = ok ? {} : { error: text, retryAfter: headers.get("retry-after") }
      return { status, body, sentAt, at: note({ outcome: status, ...refusal }) }
    } catch (error) {
      note(brokenOff(error))
      return undefined
    }
  }
  const insist = async (call: Call): Promise<Answer> => {
    for (let tries = 0; tries < triesMax; tries++) {
      const answer = await once(call)
      if (answer !== undefined && !isNoAnswer(answer.status)) return answer
      await pause(beforeRetry)
    }
    throw new Error(`${call.path} was never answered`)
  }
  return { service, once, insist }
}

/** How a request ended that got no answer. */
export const brokenOff = (error: unknown): Pick<Requested, "error" | "outcome"> => {
  const isSilence = error instanceof Error && error.name === "TimeoutError"
  return { outcome: isSilence ? "silent" : "reset", error: reasonOf(error) }
}

const reasonOf = (error: unknown): string => String(error instanceof Error ? (error.cause ?? error) : error)

const methodOf = ({ body, method }: Call): string => method ?? (body === undefined ? "GET" : "POST")

const optionsOf = (call: Call): RequestInit => ({
  method: methodOf(call),
  headers: { authorization: `Bearer ${call.key}`, "content-type": "application/json", ...call.headers },
  signal: AbortSignal.timeout(patience + (call.wait ?? 0)),
  ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) })
})
