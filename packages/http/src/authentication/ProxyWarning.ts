/**
 * Warns the operator when callers behind a proxy count as one address, so that a single one who guesses keys slows
 * down all: the settings do not name the proxy, or it does not name its callers.
 */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { isHidden } from "../pipeline/request/CallerAddress.ts"

/** Between two warnings, in milliseconds. Anybody may send the headers, so they must not fill the log. */
const warningPause = 3_600_000

const unnamed = Effect.logWarning(
  "A request came with X-Forwarded-For or Forwarded, and no proxy is trusted. If a proxy stands in front of the service, set RUNHOOK_TRUST_PROXY: until then all callers behind it count as one address"
)

const unreadable = Effect.logWarning(
  "A proxy wrote no address where X-Forwarded-For or Forwarded should name its caller, such as unknown: such callers count as one, by the address of the connection. Check the proxy, and RUNHOOK_TRUST_PROXY"
)

/** Looks at a request that came at `now`. */
export const makeProxyWarning = (trustedProxies: number) => {
  const isNotable = (request: HttpServerRequest.HttpServerRequest): boolean =>
    trustedProxies === 0
      ? request.headers["x-forwarded-for"] !== undefined || request.headers["forwarded"] !== undefined
      : isHidden(request, trustedProxies)
  let next = 0
  return (request: HttpServerRequest.HttpServerRequest, now: number): Effect.Effect<void> => {
    if (now < next || !isNotable(request)) return Effect.void
    next = now + warningPause
    return trustedProxies === 0 ? unnamed : unreadable
  }
}
