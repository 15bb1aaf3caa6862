/** The rate of items in batches, which has buckets of its own: as fast as requests, and a whole batch at once. */
import { batchMax } from "@runhook/contract/executions/BatchWire"
import type { RateLimit } from "@runhook/core/keys/RateLimit"
import { type Allowed, refusal } from "./RateLimited.ts"
import type * as TokenBuckets from "./TokenBuckets.ts"

/** A batch of a key, and those of several keys of its account. */
export const burstMin = { key: batchMax, account: 4 * batchMax }

/** The rate of items, by that of the requests of a key or account; null: no limit. */
export const batchRateOf = (rate: RateLimit | null, of: keyof typeof burstMin): RateLimit | null =>
  rate && { perSecond: rate.perSecond, burst: Math.max(rate.burst, burstMin[of]) }

/** A bucket that items are taken from. */
export interface ItemBucket {
  readonly name: string
  /** Null: no limit. */
  readonly rate: RateLimit | null
  /** What its refusals say. */
  readonly what: string
  readonly named: { readonly reason?: string }
}

/** Takes as many items as all of the buckets hold. The others are told when their turn would come, one after the other. */
export const allowItems = (
  tokens: TokenBuckets.TokenBuckets,
  given: ReadonlyArray<ItemBucket>,
  { begunAt, wanted }: { readonly begunAt: number; readonly wanted: number }
): Allowed => {
  const buckets = given.flatMap(({ rate, ...each }) => (rate === null ? [] : [{ rate, ...each }]))
  const count = Math.min(
    wanted,
    ...buckets.map(({ name, rate }) => tokens.peek(name, rate, begunAt, 0).remaining)
  )
  for (const { name, rate } of buckets) tokens.take(name, rate, begunAt, count)
  const refusals = Array.from({ length: wanted - count }, (_, before) =>
    buckets
      .map(({ name, named, rate, what }) => ({
        ...tokens.peek(name, rate, begunAt, before + 1),
        named,
        what
      }))
      .filter(({ isAllowed }) => !isAllowed)
      .reduce((one, other) => (other.retrySeconds > one.retrySeconds ? other : one))
  )
  return { count, refusals: refusals.map(({ named, what, ...next }) => refusal(what, next, named)) }
}
