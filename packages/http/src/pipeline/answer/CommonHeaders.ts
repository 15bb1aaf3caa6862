/** The last step of every answer: the service's own form, and the headers that all answers have. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { errorAnswerTo } from "../../errors/ErrorAnswer.ts"
import type { Call } from "../Call.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** The headers of every answer, and of every answer with a status. An answer may override them. */
export const standing = {
  "cache-control": "no-store",
  // No page of another site may embed our answers.
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff"
}
const standingOf: { readonly [status: number]: Readonly<Record<string, string>> } = {
  401: { "www-authenticate": "Bearer" },
  429: { "retry-after": "1" },
  503: { "retry-after": "5" }
}

export const finished = (given: Answer, call: Call): Answer => {
  const answer = isFormed(given) ? given : reformed(given, call.id)
  return call.amended(
    HttpServerResponse.setHeaders(answer, {
      ...standing,
      ...standingOf[answer.status],
      ...answer.headers,
      ...call.headers,
      "x-request-id": call.id
    })
  )
}

/**
 * Whether an error is already in JSON, or a page. Libraries below sometimes answer
 * with a line of text, or with nothing.
 */
const isFormed = ({ headers, status }: Answer): boolean =>
  status < 400 || /^(?:application\/json|text\/html)\b/.test(headers["content-type"] ?? "")

/** The same error as an error object, without the headers about its old body. */
const reformed = ({ headers, status }: Answer, requestId: string): Answer => {
  const answer = errorAnswerTo(requestId, { status, message: "The request cannot be answered in this form" })
  return HttpServerResponse.setHeaders(answer, { ...headers, ...answer.headers })
}
