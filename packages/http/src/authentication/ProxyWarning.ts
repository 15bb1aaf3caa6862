/**
 * Warns the operator of a proxy that the settings do not name: all callers behind it count as one address, so a
 * single one who guesses keys slows down all.
 */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"

/** Between two warnings, in milliseconds. Anybody may send the header, so they must not fill the log. */
const warningPause = 3_600_000

const warning = Effect.logWarning(
  "A request came with X-Forwarded-For, and no proxy is trusted. If a proxy stands in front of the service, set RUNHOOK_TRUST_PROXY: until then all callers behind it count as one address"
)

/** Looks at a request that came at `now`. */
export const makeProxyWarning = (trustedProxies: number) => {
  let next = 0
  return ({ headers }: HttpServerRequest.HttpServerRequest, now: number): Effect.Effect<void> => {
    if (trustedProxies > 0 || headers["x-forwarded-for"] === undefined || now < next) return Effect.void
    next = now + warningPause
    return warning
  }
}
