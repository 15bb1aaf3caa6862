/**
 * Refuses the requests of a key that come too fast, and tells every caller how
 * much is left. Each process counts for itself: behind a balancer, a key may
 * have its rate once per process.
 */
import { AdminCaller, Caller, RunnerCaller } from "@runhook/contract/Authorization"
import { AdminRateLimiting, RateLimiting, RunnerRateLimiting } from "@runhook/contract/RequestRules"
import type { RateLimit } from "@runhook/core/domain/ApiKeyRecord"
import type { AccountId, ConsoleSessionId } from "@runhook/core/domain/Ids"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { makeBodyMeter } from "./LargeBodies.ts"
import { refusal } from "./RateLimited.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

/** The rates of the keys that have none of their own, for each API; null: as fast as they like. */
export interface RateLimits {
  readonly integration: RateLimit | null
  readonly runner: RateLimit | null
  readonly admin: RateLimit | null
}

/** What a runner of a hundred short executions at once asks for is far below its rate. */
export const defaultRateLimits: RateLimits = {
  integration: { perSecond: 20, burst: 200 },
  runner: { perSecond: 200, burst: 1_000 },
  admin: { perSecond: 50, burst: 500 }
}

const integrationKeys = ({ integration }: RateLimits) =>
  Layer.sync(RateLimiting, () => {
    const meter = makeMeter()
    return RateLimiting.of((handler) =>
      Effect.flatMap(Caller, ({ accountId, id, rateLimit }) =>
        meter(handler, { key: id, bodiesOf: accountId, rateLimit: rateLimit ?? integration })
      )
    )
  })

const runnerKeys = ({ runner }: RateLimits) =>
  Layer.sync(RunnerRateLimiting, () => {
    const meter = makeMeter()
    return RunnerRateLimiting.of((handler) =>
      Effect.flatMap(RunnerCaller, ({ accountId, id }) =>
        meter(handler, { key: id, bodiesOf: accountId, rateLimit: runner })
      )
    )
  })

const adminKeys = ({ admin }: RateLimits) =>
  Layer.sync(AdminRateLimiting, () => {
    const meter = makeMeter()
    return AdminRateLimiting.of((handler) =>
      Effect.flatMap(AdminCaller, (caller) =>
        caller._tag === "Operator"
          ? meter(handler, { key: String(caller.place), bodiesOf: null, rateLimit: admin })
          : meter(handler, { key: caller.sessionId, bodiesOf: caller.sessionId, rateLimit: admin })
      )
    )
  })

/** The limits of the three APIs. */
export const layer = (limits: RateLimits = defaultRateLimits) =>
  Layer.mergeAll(integrationKeys(limits), runnerKeys(limits), adminKeys(limits))

interface Metered {
  readonly key: string
  /** Whose large bodies come in line; null: an operator's do not. */
  readonly bodiesOf: AccountId | ConsoleSessionId | null
  /** Null: whatever it asks. */
  readonly rateLimit: RateLimit | null
}

/** Lets a request of a key through, or refuses it. Every answer says what is left, whatever becomes of the request. */
const makeMeter = () => {
  const buckets = TokenBuckets.make()
  const meterBody = makeBodyMeter()
  return Effect.fnUntraced(function* <A, E, R>(
    handler: Effect.Effect<A, E, R>,
    { bodiesOf, key, rateLimit }: Metered
  ) {
    if (rateLimit === null) return yield* handler
    const taken = buckets.take(key, rateLimit, yield* Clock.currentTimeMillis)
    const headers = headersOf(taken)
    yield* HttpEffect.appendPreResponseHandler((_, answer) =>
      Effect.succeed(HttpServerResponse.setHeaders(answer, headers))
    )
    if (!taken.isAllowed) return yield* refusal("Too many requests with this key", taken)
    if (bodiesOf !== null) yield* meterBody(bodiesOf)
    return yield* handler
  })
}

const headersOf = ({ isAllowed, limit, remaining, resetSeconds, retrySeconds }: TokenBuckets.Taken) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds),
  ...(isAllowed ? {} : { "retry-after": String(retrySeconds) })
})
