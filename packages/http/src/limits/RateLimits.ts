/**
 * Refuses requests that come too fast, and tells every caller what is left. Each
 * process counts for itself: behind a balancer, a key may have its rate once per
 * process.
 */
import type { TooManyRequests } from "@runhook/contract/Errors"
import { type RateLimit, rateOfAccount } from "@runhook/core/keys/RateLimit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Metered } from "../authentication/Authenticated.ts"
import type { Authenticator } from "../authentication/Authenticator.ts"
import type { Call } from "../pipeline/Call.ts"
import { allowItems, batchRateOf } from "./BatchRates.ts"
import { makeBodyMeter } from "./LargeBodies.ts"
import { type Allowed, refusal } from "./RateLimited.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

/** The default rates of each API, for callers without their own; null: no limit. */
export type RateLimits = { readonly [Kind in Authenticator<never, never>["kind"]]: RateLimit | null }

/** A runner of a hundred short executions at once stays far below its rate. */
export const defaultRateLimits: RateLimits = {
  integration: { perSecond: 20, burst: 200 },
  runner: { perSecond: 200, burst: 1_000 },
  admin: { perSecond: 50, burst: 500 }
}

/** The limits of the three APIs. */
export const RateLimits = Context.Reference<RateLimits>("@runhook/http/RateLimits", {
  defaultValue: () => defaultRateLimits
})

/**
 * Refusals that an account gets at once, and a second, of each API. A refusal costs a third of a create, so
 * hundreds of connections that ask on and on would hold up everybody without being served.
 */
export const refusalTurns = { perSecond: 50, burst: 50 }

/** The longest wait, in milliseconds. */
export const refusalWaitMax = 2_000

export interface Meter {
  /** Lets a call through, or refuses it. Every answer says what is left, however the request ends. */
  request(call: Call, kind: keyof RateLimits, metered: Metered): Effect.Effect<void, TooManyRequests>

  /** Counts the items of a call, as far as their rate allows them. */
  items(call: Call, kind: keyof RateLimits, metered: Metered, count: number): Allowed
}

export const makeMeter = (limits: RateLimits): Meter => {
  const buckets = TokenBuckets.make()
  const meterBody = makeBodyMeter()

  /** Answers a refusal in its turn. */
  const held = <E>({ begunAt }: Call, owner: string, refused: Effect.Effect<never, E>) => {
    const name = `refusals, ${owner}`
    const wait = buckets.waitOf(name, refusalTurns, begunAt)
    if (wait <= refusalWaitMax) buckets.owe(name, refusalTurns, begunAt, 1)
    return wait === 0 ? refused : Effect.delay(refused, Math.min(wait, refusalWaitMax))
  }

  const rateOf = (kind: keyof RateLimits, { account, accountRate }: Metered): RateLimit | "off" => {
    const usual = limits[kind]
    if (account === null || (accountRate === null && usual === null)) return "off"
    return accountRate ?? (usual === null ? "off" : rateOfAccount(usual))
  }

  /** Counts one request, and says what is left; or answers why it is one too many. */
  const take = (call: Call, kind: keyof RateLimits, metered: Metered) => {
    const { account, key } = metered
    const own = metered.rateLimit ?? limits[kind]
    const ofAccount = rateOf(kind, metered)
    const shared = `${kind} of ${account}`
    if (ofAccount !== "off") {
      // Looked at first, since a refused request costs nothing, neither the caller nor its account.
      const next = buckets.peek(shared, ofAccount, call.begunAt)
      tell(call.headers, next)
      if (!next.isAllowed) {
        return refusal("Too many requests of this account", next, { reason: "account_rate" })
      }
    }
    if (own !== null) {
      const taken = buckets.take(`${kind} ${key}`, own, call.begunAt)
      tell(call.headers, taken)
      if (!taken.isAllowed) return refusal("Too many requests with this key", taken)
    }
    if (ofAccount !== "off") {
      const taken = buckets.take(shared, ofAccount, call.begunAt)
      if (own === null || taken.remaining < Number(call.headers["ratelimit-remaining"]))
        tell(call.headers, taken)
    }
    return undefined
  }

  return {
    request: (call, kind, metered) => {
      const { account } = metered
      if ((metered.rateLimit ?? limits[kind]) === null && rateOf(kind, metered) === "off") return Effect.void
      const refused = take(call, kind, metered)
      if (refused !== undefined) return held(call, `${kind} of ${account}`, refused)
      return account === null ? Effect.void : meterBody(account, call.request.headers)
    },
    items: ({ begunAt }, kind, metered, wanted) => {
      const ofAccount = rateOf(kind, metered)
      const ofItems = [
        {
          name: `items, ${kind} of ${metered.account}`,
          rate: batchRateOf(ofAccount === "off" ? null : ofAccount, "account"),
          what: "Too many items of this account",
          named: { reason: "account_rate" }
        },
        {
          name: `items, ${kind} ${metered.key}`,
          rate: batchRateOf(metered.rateLimit ?? limits[kind], "key"),
          what: "Too many items with this key",
          named: {}
        }
      ]
      return allowItems(buckets, ofItems, { begunAt, wanted })
    }
  }
}

const tell = (headers: Call["headers"], taken: TokenBuckets.Taken): void => {
  headers["ratelimit-limit"] = String(taken.limit)
  headers["ratelimit-remaining"] = String(taken.remaining)
  headers["ratelimit-reset"] = String(taken.resetSeconds)
  if (!taken.isAllowed) headers["retry-after"] = String(taken.retrySeconds)
}
