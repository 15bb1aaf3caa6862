/**
 * Refuses the requests of a key that come too fast, and tells every caller how
 * much is left. Each process counts for itself: behind a balancer, a key may
 * have its rate once per process.
 */
import { Caller } from "@runhook/contract/Authorization"
import { TooManyRequests } from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { RateLimiting } from "@runhook/contract/RequestRules"
import type { RateLimit } from "@runhook/core/domain/ApiKeyRecord"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as TokenBuckets from "./TokenBuckets.ts"

/** The rate of keys that have none of their own. */
export const defaultRateLimit: RateLimit = { perSecond: 20, burst: 200 }

export const layer = (rateLimit: RateLimit = defaultRateLimit) =>
  Layer.sync(RateLimiting, () => {
    const buckets = TokenBuckets.make()
    return RateLimiting.of(
      Effect.fnUntraced(function* (handler) {
        const caller = yield* Caller
        const taken = buckets.take(caller.id, caller.rateLimit ?? rateLimit, yield* Clock.currentTimeMillis)
        const headers = headersOf(taken)
        yield* HttpEffect.appendPreResponseHandler((_, answer) =>
          Effect.succeed(HttpServerResponse.setHeaders(answer, headers))
        )
        return taken.isAllowed ? yield* handler : yield* refusal(taken)
      })
    )
  })

const headersOf = ({ isAllowed, limit, remaining, resetSeconds, retrySeconds }: TokenBuckets.Taken) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds),
  ...(isAllowed ? {} : { "retry-after": String(retrySeconds) })
})

const refusal = Effect.fnUntraced(function* ({ limit, retrySeconds }: TokenBuckets.Taken) {
  return yield* new TooManyRequests({
    error: {
      code: "rate_limited",
      message: `Too many requests with this key: try again in ${retrySeconds} s`,
      details: { limit, retry_after_seconds: retrySeconds },
      request_id: yield* CurrentRequestId
    }
  })
})
