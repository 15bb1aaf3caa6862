/**
 * Slows down callers with invalid keys. Each 401 counts for the caller's network;
 * after too many, the network gets 429 before the store is asked. A key that worked
 * lately is let through all the same: behind one address there may be others
 * besides the one who guesses.
 */
import type { TooManyRequests, Unauthorized } from "@runhook/contract/Errors"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Hash from "effect/Hash"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { refusal } from "../limits/RateLimited.ts"
import * as TokenBuckets from "../limits/TokenBuckets.ts"
import { networkOf, TrustedProxies } from "../pipeline/CallerAddress.ts"
import { RecentlySeen } from "./RecentlySeen.ts"

/** 401s of one network. */
export const failureLimit = { perSecond: 20, burst: 100 }

/** Networks that are counted at once; beyond that, the one that failed longest ago starts afresh. */
const networksMax = 10_000

/** Keys that are remembered to have worked, and for how long. */
const openersMax = 10_000
const openerMillis = 3_600_000

export class FailedKeys extends Context.Service<
  FailedKeys,
  {
    /** Finds the owner of a presented key, unless too many invalid ones were presented before. */
    guard<A, R>(
      request: HttpServerRequest.HttpServerRequest,
      presented: Redacted.Redacted,
      authenticate: Effect.Effect<A, Unauthorized, R>
    ): Effect.Effect<A, TooManyRequests | Unauthorized, R>
  }
>()("@runhook/http/authentication/FailedKeys") {
  static readonly layer = Layer.effect(
    FailedKeys,
    Effect.map(TrustedProxies, (trustedProxies) => {
      const failures = TokenBuckets.make({ keysMax: networksMax })
      // By a hash: two keys with the same hash are both let through here, and then checked like any other.
      const openers = new RecentlySeen<number>({ countMax: openersMax, millis: openerMillis })

      return FailedKeys.of({
        guard: Effect.fnUntraced(function* (request, presented, authenticate) {
          const network = networkOf(request, trustedProxies)
          const now = yield* Clock.currentTimeMillis
          const key = Hash.hash(presented)
          if (!openers.has(key, now)) {
            const next = failures.peek(network, failureLimit, now)
            if (!next.isAllowed) return yield* refusal("Too many requests without a valid key", next)
          }
          const owner = yield* Effect.tapError(authenticate, () =>
            Effect.sync(() => failures.take(network, failureLimit, now))
          )
          openers.note(key, now)
          return owner
        })
      })
    })
  )
}
