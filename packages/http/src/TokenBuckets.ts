/** Token buckets by key: how many requests each key still has, refilled with time. */
import type { RateLimit } from "@runhook/core/domain/ApiKeyRecord"
import * as Iterable from "effect/Iterable"

interface Bucket {
  readonly tokens: number
  /** When it held that many, in epoch milliseconds. */
  readonly at: number
  /** When it will be full again, and no different from one that was never used. */
  readonly fullAt: number
}

export interface Taken {
  readonly isAllowed: boolean
  /** The most a key may have at once. */
  readonly limit: number
  /** Whole requests left. */
  readonly remaining: number
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number
  /** Whole seconds, at least one, until the next request is allowed. */
  readonly retrySeconds: number
}

export interface TokenBuckets {
  /** Takes one request from the bucket of a key. A refused request costs nothing. */
  take(key: string, limit: RateLimit, nowMillis: number): Taken
  /** Buckets kept: those that are not full. */
  size(): number
}

/** Buckets looked at for removal on each take; more than one, so that they go faster than they come. */
const sweptPerTake = 2

export const make = (): TokenBuckets => {
  // In order of last use, since every use inserts the bucket anew.
  const buckets = new Map<string, Bucket>()

  const sweep = (nowMillis: number) => {
    for (const [key, { fullAt }] of Iterable.take(buckets, sweptPerTake)) {
      if (fullAt <= nowMillis) buckets.delete(key)
    }
  }

  return {
    size: () => buckets.size,
    take: (key, { burst, perSecond }, nowMillis) => {
      sweep(nowMillis)
      const before = buckets.get(key)
      const refilled =
        before === undefined ? burst : before.tokens + ((nowMillis - before.at) / 1000) * perSecond
      // A limit that was lowered meanwhile holds at once.
      const available = Math.min(burst, refilled)
      const isAllowed = available >= 1
      const tokens = isAllowed ? available - 1 : available
      const secondsToFull = (burst - tokens) / perSecond
      buckets.delete(key)
      buckets.set(key, { tokens, at: nowMillis, fullAt: nowMillis + secondsToFull * 1000 })
      return {
        isAllowed,
        limit: burst,
        remaining: Math.floor(tokens),
        resetSeconds: Math.ceil(secondsToFull),
        retrySeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond))
      }
    }
  }
}
