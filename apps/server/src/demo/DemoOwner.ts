/** Who may see the demo account's pages, and act by them: whoever sits at this machine. */
import { errorAnswer } from "@runhook/http/errors/ErrorAnswer"
import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"

/**
 * Serves only who asks for this machine by name: a page of a stranger, whose
 * own name suddenly leads here, must not read the demo key.
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
 * Lets only a page of the service itself act: browsers name the page that
 * sends a form or a script's request, and no page can name another.
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
