/** Guards the pages of the demo account: only the person at this machine may see and use them. */
import { errorAnswer } from "@runhook/http/errors/ErrorAnswer"
import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"

/**
 * Serves only requests that name this machine: a stranger's page whose name
 * suddenly leads here must not read the demo key.
 */
export const forOwner = <E, R>(
  { headers }: HttpServerRequest.HttpServerRequest,
  baseUrl: string,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => {
  const host = headers["host"]
  const isOwn = host === undefined || loopbackHost.test(host) || host === new URL(baseUrl).host
  return isOwn ? answer : errorAnswer({ status: 404, message: "There is no such endpoint" })
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/**
 * Lets only the service's own pages act: browsers name the page that sends a form
 * or a request, and no page can name another.
 */
export const fromOwnPage = <E, R>(
  request: HttpServerRequest.HttpServerRequest,
  baseUrl: string,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => {
  const { host = "", origin = "" } = request.headers
  const isOwn = URL.parse(origin)?.host === host
  return forOwner(
    request,
    baseUrl,
    isOwn ? answer : errorAnswer({ status: 403, message: "Origin: must be a page of this service" })
  )
}
