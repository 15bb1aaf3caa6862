/** A failed answer, before it becomes an error of either client. */
import type { Failure, Refusal } from "../Errors.ts"
import type { Json, JsonObject } from "../wire/Integration.ts"
import { withoutKey } from "./Log.ts"
import { retryAfterMs } from "./Retry.ts"

/** An answer whose body has been read. */
export interface ReadAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The request, as errors describe it. */
export interface Asked {
  readonly apiKey: string | null
  /** Requests that were sent. */
  readonly attempts: number
  /** The execution that the call waited for. */
  readonly executionId: string | null
}

/** The message of a failure, and the execution it concerns. */
export const naming = (executionId: string | null, words: string): string =>
  executionId === null ? words : `Execution ${executionId}: ${words}`

/** A refusal by the service, or the text of something else that answered. */
export type Failed = Required<Refusal> | (Required<Failure> & { readonly body: string })

export const failedOf = (
  { headers, status, text: raw }: ReadAnswer,
  { apiKey, attempts, executionId }: Asked
): Failed => {
  // Some proxies quote the request in their pages.
  const text = withoutKey(raw, apiKey)
  const error = jsonObject<{ readonly error?: Partial<Refused> | null }>(text)?.error
  const answerId = headers.get("x-request-id")
  const shared = { status, attempts, executionId, retryAfterMs: retryAfterMs(headers) }
  if ((status < 200 || status > 299) && typeof error?.code === "string") {
    const { code, details = null, message = code, request_id: requestId = answerId } = error
    return { code, details, message: naming(executionId, message), requestId, ...shared }
  }
  const type = headers.get("content-type") ?? "no content type"
  const message = `Something else than the service answered: ${status} with ${type}. Is baseUrl right?`
  return {
    message: naming(executionId, message),
    body: text.slice(0, 1_000),
    requestId: answerId,
    ...shared
  }
}

/** The error object on the wire. */
interface Refused {
  readonly code: string
  readonly message: string
  readonly details: Json
  readonly request_id: string
}

/** The object that the text is in JSON, or undefined. Its fields are the service's promise and are not checked again. */
export const jsonObject = <A = JsonObject>(text: string): A | undefined => {
  try {
    const value = JSON.parse(text)
    return typeof value === "object" && !Array.isArray(value) ? (value ?? undefined) : undefined
  } catch {
    return undefined
  }
}
