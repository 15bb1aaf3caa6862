/**
 * Slows down callers with invalid keys. Each 401 counts for the caller's network;
 * after too many, its keys are looked up one at a time, and an invalid one gets 429.
 * So guessing costs the service little, and does not lock out others behind the same
 * address. A key that worked lately does not wait at all.
 */
import type { Unauthorized } from "@runhook/contract/Errors"
import { generatePepper, hash, parsePepper } from "@runhook/core/signing/ApiKey"
import { BoundedMap } from "@runhook/core/engine/BoundedMap"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { makeLines } from "../limits/Lines.ts"
import { refusal } from "../limits/RateLimited.ts"
import * as TokenBuckets from "../limits/TokenBuckets.ts"
import { networkOf, TrustedProxies } from "../pipeline/request/CallerAddress.ts"
import { makeProxyWarning } from "./ProxyWarning.ts"

/** 401s of one network. */
export const failureLimit = { perSecond: 20, burst: 100 }

/** Networks that are counted at once; beyond that, the one that failed longest ago starts afresh. */
const networksMax = 10_000

/** Keys of which it is remembered when they last worked, and for how long. */
const openersMax = 10_000
export const openerMillis = 3_600_000

/** The pause between two keys of one network that has had its 401s. */
export const lookUpPause = 5

/** The keys of such a network that wait to be looked up: each has its turn within a second. */
export const lookUpsMax = 200

export class FailedKeys extends Context.Service<FailedKeys>()("@runhook/http/authentication/FailedKeys", {
  make: Effect.gen(function* () {
    const trustedProxies = yield* TrustedProxies
    const warnOfProxy = makeProxyWarning(trustedProxies)
    const failures = TokenBuckets.make({ keysMax: networksMax })
    // By a hash under a pepper of its own, so that no key is kept.
    const openers = new BoundedMap<string, number>(openersMax)
    const pepper = Option.getOrThrow(parsePepper(yield* Effect.provide(generatePepper, layerWebCrypto)))
    const inLine = makeLines<string>({
      waitingMax: lookUpsMax,
      waitMax: 5_000,
      restMin: lookUpPause
    })

    return {
      /** Finds the owner of a presented key. An invalid one gets 429 if there were too many before. */
      guard: Effect.fnUntraced(function* <A, R>(
        request: HttpServerRequest.HttpServerRequest,
        presented: Redacted.Redacted,
        authenticate: Effect.Effect<A, Unauthorized, R>
      ) {
        const now = yield* Clock.currentTimeMillis
        yield* warnOfProxy(request, now)
        const network = networkOf(request, trustedProxies)
        const key = Redacted.value(presented)
        const mark = hash(pepper, key)
        const lookedUp = authenticate.pipe(
          Effect.tap(() => Effect.sync(() => openers.set(mark, now))),
          Effect.tapError(() => Effect.sync(() => failures.take(network, failureLimit, now)))
        )
        if ((openers.get(mark) ?? -Infinity) + openerMillis > now) return yield* lookedUp
        const next = failures.peek(network, failureLimit, now)
        if (next.isAllowed) return yield* lookedUp
        const opened = key === "" ? Option.none() : yield* inLine(network, Effect.option(lookedUp))
        const owner = Option.flatten(opened)
        return Option.isSome(owner)
          ? owner.value
          : yield* refusal("Too many requests without a valid key", next)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(FailedKeys, FailedKeys.make)
}
