/** What comes back: the body of a success, or the error that tells what else it was. */
import { type RunhookError, UnexpectedAnswerError } from "../Errors.ts"
import type { Json, JsonObject } from "../wire/Json.ts"
import { withoutKey } from "./Log.ts"
import { apiError } from "./Refusals.ts"
import { retryAfterMs } from "./Retry.ts"

/** An answer with what its body does not tell. */
export interface Answered<A> {
  readonly body: A
  /** Status and headers. Its body has been read, except that of a download. */
  readonly response: Response
  readonly requestId: string | null
  /** Requests that were made. */
  readonly attempts: number
}

/** A call under way. It was begun when it was made, whether or not somebody waits for it. */
export type Call<A> = Promise<A> & {
  /** The same, with status, headers, request id and the number of attempts. */
  withResponse(): Promise<Answered<A>>
}

export const callOf = <A>(answered: Promise<Answered<A>>): Call<A> => {
  const body = answered.then((answer) => answer.body)
  return Object.assign(body, {
    withResponse: () => {
      // Who asks for more hears of a failure there, and must not have to listen in two places.
      body.catch(() => {})
      return answered
    }
  })
}

/** What an answer is read with. */
export interface Reading {
  readonly apiKey: string
  readonly attempts: number
  readonly fetch: typeof globalThis.fetch
  /** Ends with the caller's signal, and until there is an answer with the attempt's time. */
  readonly signal: AbortSignal
  /** Sends the same request again, and lets the runtime follow where it leads. */
  readonly follow: () => Promise<Response>
}

export const requestIdOf = ({ headers }: Response): string | null => headers.get("x-request-id")

/** The body of a success, which is a JSON object. Rejects with the error that anything else stands for. */
export const readJson = async <A>(response: Response, reading: Reading): Promise<A> => {
  const text = await response.text()
  const body: A | undefined = jsonObject(text)
  if (response.ok && body !== undefined) return body
  throw errorOf(response, text, reading)
}

/** The error that an answer without success stands for. */
export const readError = async (response: Response, reading: Reading): Promise<RunhookError> =>
  errorOf(response, await response.text(), reading)

const errorOf = (response: Response, raw: string, { apiKey, attempts }: Reading): RunhookError => {
  // Some proxies show the request in their pages.
  const text = withoutKey(raw, apiKey)
  const error = jsonObject<{ readonly error?: Partial<Refused> | null }>(text)?.error
  const { status } = response
  const waitMs = retryAfterMs(response.headers)
  if (!response.ok && typeof error?.code === "string") {
    const { code, details = null, message = code, request_id: requestId = requestIdOf(response) } = error
    return apiError({ code, details, message, requestId, status, attempts, retryAfterMs: waitMs })
  }
  const type = response.headers.get("content-type") ?? "no content type"
  return new UnexpectedAnswerError({
    message: `Something else than the service answered: ${status} with ${type}. Is baseUrl right?`,
    body: text.slice(0, 1_000),
    requestId: requestIdOf(response),
    status,
    attempts,
    retryAfterMs: waitMs
  })
}

/** The error object on the wire. */
interface Refused {
  readonly code: string
  readonly message: string
  readonly details: Json
  readonly request_id: string
}

/** The object that the text is in JSON, or undefined. Its fields are the service's promise and are not checked again. */
const jsonObject = <A = JsonObject>(text: string): A | undefined => {
  try {
    const value = JSON.parse(text)
    return typeof value === "object" && !Array.isArray(value) ? (value ?? undefined) : undefined
  } catch {
    return undefined
  }
}
