/**
 * Token buckets by key: how much each key still has, refilled with time. Who asks for more is refused, or waits for
 * what it owes. Effect's own rate limiter never drops a bucket.
 */
import type { RateLimit } from "@runhook/core/keys/RateLimit"
import * as Iterable from "effect/Iterable"

interface Bucket {
  /** Below zero: so many are owed. */
  readonly tokens: number
  /** When it held that many, in epoch milliseconds. */
  readonly at: number
  /** When it will be full again, and no different from an unused one. */
  readonly fullAt: number
}

export interface Taken {
  readonly isAllowed: boolean
  /** The most that a key may have at once. */
  readonly limit: number
  /** Whole requests left. */
  readonly remaining: number
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number
  /** Whole seconds, at least one, until the next request, or the refused ones, are allowed. */
  readonly retrySeconds: number
}

export interface TokenBuckets {
  /** Takes one request from the bucket of a key, or so many. Refused requests cost nothing. */
  take(key: string, limit: RateLimit, nowMillis: number, count?: number): Taken
  /** What `take` would answer, without taking. */
  peek(key: string, limit: RateLimit, nowMillis: number, count?: number): Taken
  /** Takes so much even if there is less, and answers how many milliseconds its turn is away: it waits for what was owed before. */
  owe(key: string, limit: RateLimit, nowMillis: number, amount: number): number
  /** What `owe` would answer, without taking. */
  waitOf(key: string, limit: RateLimit, nowMillis: number): number
  /** Buckets kept: those that are not full. */
  size(): number
}

/** Buckets checked for removal on each take; more than one, so that they go faster than they come. */
const sweptPerTake = 2

/** Beyond `keysMax` buckets the one used longest ago is dropped. Default: none is dropped before it is full. */
export const make = ({ keysMax = Infinity }: { readonly keysMax?: number } = {}): TokenBuckets => {
  // In order of last use, since every use inserts the bucket again.
  const buckets = new Map<string, Bucket>()

  const sweep = (nowMillis: number) => {
    for (const [key, { fullAt }] of Iterable.take(buckets, sweptPerTake)) {
      if (fullAt <= nowMillis) buckets.delete(key)
    }
  }

  const availableIn = (key: string, { burst, perSecond }: RateLimit, nowMillis: number): number => {
    const before = buckets.get(key)
    // A clock that was set back takes nothing away.
    const passed = Math.max(0, nowMillis - (before?.at ?? nowMillis))
    const refilled = (before?.tokens ?? burst) + (passed / 1000) * perSecond
    // A lowered limit applies at once.
    return Math.min(burst, refilled)
  }

  const keep = (key: string, { burst, perSecond }: RateLimit, nowMillis: number, tokens: number) => {
    sweep(nowMillis)
    buckets.delete(key)
    buckets.set(key, { tokens, at: nowMillis, fullAt: nowMillis + ((burst - tokens) / perSecond) * 1000 })
    for (const first of Iterable.take(buckets.keys(), Math.max(0, buckets.size - keysMax)))
      buckets.delete(first)
  }

  /** What a bucket holds after so many requests were taken, if they were allowed. */
  const tokensAfter = (key: string, limit: RateLimit, nowMillis: number, count: number) => {
    const available = availableIn(key, limit, nowMillis)
    const isAllowed = available >= count
    return { isAllowed, tokens: isAllowed ? available - count : available }
  }

  const peek: TokenBuckets["peek"] = (key, limit, nowMillis, count = 1) => {
    const { isAllowed, tokens } = tokensAfter(key, limit, nowMillis, count)
    const { burst, perSecond } = limit
    return {
      isAllowed,
      limit: burst,
      remaining: Math.floor(tokens),
      resetSeconds: Math.ceil((burst - tokens) / perSecond),
      retrySeconds: Math.max(1, Math.ceil(((isAllowed ? 1 : count) - tokens) / perSecond))
    }
  }

  const waitOf: TokenBuckets["waitOf"] = (key, limit, nowMillis) =>
    (Math.max(0, -availableIn(key, limit, nowMillis)) / limit.perSecond) * 1000

  return {
    size: () => buckets.size,
    peek,
    take: (key, limit, nowMillis, count = 1) => {
      const taken = peek(key, limit, nowMillis, count)
      keep(key, limit, nowMillis, tokensAfter(key, limit, nowMillis, count).tokens)
      return taken
    },
    waitOf,
    owe: (key, limit, nowMillis, amount) => {
      const wait = waitOf(key, limit, nowMillis)
      keep(key, limit, nowMillis, availableIn(key, limit, nowMillis) - amount)
      return wait
    }
  }
}
