/** The answer of a request for a file, as a stream of its bytes. */
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import { isOk, refuse } from "./Answer.ts"
import { connectionError, type Exchange, execute } from "./Transport.ts"

/** Follows the redirect to the storage, without the key. */
export const openFile = Effect.fnUntraced(function* (
  response: HttpClientResponse.HttpClientResponse,
  exchange: Exchange
) {
  const opened = yield* behind(response, exchange)
  if (!isOk(opened)) return yield* refuse(opened, exchange)
  return Stream.mapError(opened.stream, connectionError(exchange))
})

const behind = (response: HttpClientResponse.HttpClientResponse, exchange: Exchange) => {
  // A page may not see where a redirect leads. The browser follows it, and drops the key for another origin.
  if (response.status === 0) return execute(response.request, exchange, "follow")
  const location = response.status === 302 ? response.headers["location"] : undefined
  if (location === undefined) return Effect.succeed(response)
  const target = new URL(location, exchange.settings.apiRoot)
  return execute(HttpClientRequest.get(target), exchange, "follow")
}
