/** The error object as a finished answer, where no endpoint with typed errors is reached. */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { Json } from "@runhook/core/shared/json/Json"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

export interface Problem {
  readonly status: number
  /** For people: names what is wrong and the rule. Never a secret, never the caller's own values. */
  readonly message: string
  /** For programs; null if missing. */
  readonly details?: Json
  readonly headers?: Readonly<Record<string, string>>
}

/** The body of the answer. */
export const errorBody = ({ status, message, details = null }: Problem, requestId: string) => ({
  error: { code: codeOf(status), message, details, request_id: requestId }
})

/** The answer, for the request of that id. */
export const errorAnswerTo = (requestId: string, problem: Problem): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(errorBody(problem, requestId), {
    status: problem.status,
    headers: problem.headers
  })

/** The answer to the current request. */
export const errorAnswer = (problem: Problem): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(CurrentRequestId, (requestId) => errorAnswerTo(requestId, problem))

const codes: { readonly [status: number]: string } = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  429: "rate_limited"
}

const codeOf = (status: number): string =>
  codes[status] ?? (status < 500 ? "invalid_request" : "internal_error")

/** The path of a URL without its query, which may hold grants and search terms. */
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? url
