/**
 * How much an account may send in large bodies. Reading one blocks the process for some hundredths of a second per
 * mebibyte, so those of one account take turns, with time for others between two of them.
 */
import type { AccountId } from "@runhook/core/shared/Ids"
import * as ByteSize from "effect/ByteSize"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Headers } from "effect/http/Headers"
import { bodySizeMax } from "./BodySize.ts"
import { refusal } from "./RateLimited.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

/** A body up to this size, in bytes, is not counted. */
export const largeBodyMin = 64 * 1_024

/** Bytes a second that are read from an account. */
export const largeBodyRate = 2 * 1_048_576

const reading = { perSecond: largeBodyRate, burst: 0 }

/** The longest that a body waits to be read, in milliseconds. */
export const largeBodyWaitMax = 4_000

/**
 * Waits until a body may be read. Fails with a 429 if too many of the account wait
 * already.
 */
export const makeBodyMeter = () => {
  const turns = TokenBuckets.make()
  const waitFor = Effect.fnUntraced(function* (owner: AccountId, bytes: number) {
    const now = yield* Clock.currentTimeMillis
    const wait = turns.waitOf(owner, reading, now)
    if (wait > largeBodyWaitMax) {
      const taken = { limit: largeBodyRate, retrySeconds: Math.ceil((wait - largeBodyWaitMax) / 1_000) }
      return yield* refusal("Too many bytes in large bodies of this account", taken, {
        reason: "large_bodies"
      })
    }
    turns.owe(owner, reading, now, bytes)
    yield* Effect.sleep(wait)
  })
  return (owner: AccountId, headers: Headers) => {
    const bytes = bytesOf(headers)
    return bytes <= largeBodyMin ? Effect.void : waitFor(owner, bytes)
  }
}

/**
 * What there is to read: nothing of a body that is refused for its size. One of
 * unknown size counts as the largest.
 */
const bytesOf = (headers: Headers): number => {
  const largest = ByteSize.toNumberUnsafe(bodySizeMax)
  if (headers["transfer-encoding"] !== undefined) return largest
  const length = Number(headers["content-length"] ?? 0)
  return length <= largest ? length : 0
}
