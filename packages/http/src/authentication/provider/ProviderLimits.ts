/**
 * Bounds what strangers can make this process ask of the provider: anyone may begin a sign-in, and come back with
 * anything. Each sign-in asks the provider once; each network, and all together, have a rate; and no line grows long.
 */
import { SignInFailed } from "@runhook/core/people/IdentityProvider"
import { BoundedMap } from "@runhook/core/engine/BoundedMap"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Semaphore from "effect/Semaphore"
import * as TokenBuckets from "../../limits/TokenBuckets.ts"
import { networkOf, TrustedProxies } from "../../pipeline/request/CallerAddress.ts"
import { progressMax } from "./ProgressCookie.ts"

/** A company may have one address for all of its people. */
export const networkRate = { perSecond: 1, burst: 60 }
export const wholeRate = { perSecond: 10, burst: 200 }

/** Networks that are counted at once; beyond that, the one that came longest ago starts afresh. */
const networksMax = 10_000

/** More than pass at the whole rate while a sign-in may be finished. */
const statesMax = 10_000

/** Sign-ins under way at the provider at once, and with those that wait for them. */
export const atOnceMax = 8
export const lineMax = 40

export const make = Effect.gen(function* () {
  const trustedProxies = yield* TrustedProxies
  const networks = TokenBuckets.make({ keysMax: networksMax })
  const whole = TokenBuckets.make()
  /** When each state was asked about. */
  const asked = new BoundedMap<string, number>(statesMax)
  const places = yield* Semaphore.make(atOnceMax)
  let inLine = 0

  /** Asks about the sign-in that was begun with this state. */
  return Effect.fnUntraced(function* <A, E, R>(
    { request, state }: { readonly request: HttpServerRequest.HttpServerRequest; readonly state: string },
    ask: Effect.Effect<A, E, R>
  ) {
    const now = yield* Clock.currentTimeMillis
    if ((asked.get(state) ?? -Infinity) + Duration.toMillis(progressMax) > now) {
      return yield* new SignInFailed({ reason: "stale", detail: "It came back a second time" })
    }
    const isAllowed =
      inLine < lineMax &&
      networks.take(networkOf(request, trustedProxies), networkRate, now).isAllowed &&
      whole.take("all", wholeRate, now).isAllowed
    if (!isAllowed) return yield* new SignInFailed({ reason: "busy", detail: "Too many at once" })
    asked.set(state, now)
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => inLine++),
      () => places.withPermit(ask),
      () => Effect.sync(() => inLine--)
    )
  })
})
