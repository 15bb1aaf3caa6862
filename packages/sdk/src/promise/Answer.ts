/** The response: its body on success, otherwise the matching error. */
import { type Asked, failedOf, jsonObject } from "../call/Failed.ts"
import { type RunhookError, UnexpectedAnswerError } from "../Errors.ts"
import { apiError } from "./ApiError.ts"

/** An answer with more than its body. */
export interface Answered<A> {
  readonly body: A
  /** Status and headers. Its body has been read, except that of a download. */
  readonly response: Response
  readonly requestId: string | null
  /** Requests that were sent. */
  readonly attempts: number
}

/** A call in progress. It starts at once, whether or not it is awaited. */
export type Call<A> = Promise<A> & {
  /** The same, with status, headers, request id and the number of attempts. */
  withResponse(): Promise<Answered<A>>
}

export const callOf = <A>(answered: Promise<Answered<A>>): Call<A> => {
  const body = answered.then((answer) => answer.body)
  return Object.assign(body, {
    withResponse: () => {
      // A caller of `withResponse` learns of a failure there, and need not handle it twice.
      body.catch(() => {})
      return answered
    }
  })
}

/** What reading an answer needs. */
export interface Reading extends Asked {
  readonly fetch: typeof globalThis.fetch
  /** Ends with the caller's signal, and until there is an answer with the attempt's time. */
  readonly signal: AbortSignal
  /** Sends the same request again, and lets the runtime follow where it leads. */
  readonly follow: () => Promise<Response>
}

export const requestIdOf = ({ headers }: Response): string | null => headers.get("x-request-id")

/** The body of a success, which is a JSON object. Otherwise rejects with the matching error. */
export const readJson = async <A>(response: Response, reading: Reading): Promise<A> => {
  const text = await response.text()
  const body: A | undefined = jsonObject(text)
  if (response.ok && body !== undefined) return body
  throw errorOf(response, text, reading)
}

/** The same for any call: null where a success has no body. */
export const readAny = async <A>(response: Response, reading: Reading): Promise<A> =>
  response.status === 204 ? JSON.parse("null") : readJson(response, reading)

/** The body of a success, as text. */
export const readText = async (response: Response, reading: Reading): Promise<string> => {
  if (!response.ok) throw await readError(response, reading)
  return response.text()
}

/** A success without a body. */
export const readNothing = async (response: Response, reading: Reading): Promise<void> => {
  const text = await response.text()
  if (!response.ok) throw errorOf(response, text, reading)
}

/** The error of an unsuccessful answer. */
export const readError = async (response: Response, reading: Reading): Promise<RunhookError> =>
  errorOf(response, await response.text(), reading)

const errorOf = ({ headers, status }: Response, text: string, reading: Reading): RunhookError => {
  const failed = failedOf({ headers, status, text }, reading)
  return "code" in failed ? apiError(failed) : new UnexpectedAnswerError(failed)
}
