/**
 * What an account may send of large bodies: reading one holds up everybody
 * else in the process, for up to a tenth of a second at a mebibyte.
 */
import type { RateLimit } from "@runhook/core/domain/ApiKeyRecord"
import type { AccountId } from "@runhook/core/domain/Ids"
import * as ByteSize from "effect/ByteSize"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Headers } from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { bodySizeMax } from "./BodySize.ts"
import { refusal } from "./RateLimited.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

/** A body up to this size, in bytes, is not counted. */
export const largeBodyMin = 64 * 1_024

/** In bytes. */
export const largeBodyRate: RateLimit = { perSecond: 2 * 1_048_576, burst: 16 * 1_048_576 }

/** Fails when the account has sent too much, with the 429 that says so. */
export const makeBodyMeter = () => {
  const buckets = TokenBuckets.make()
  return Effect.fnUntraced(function* (accountId: AccountId) {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const bytes = bytesOf(headers)
    if (bytes <= largeBodyMin) return
    const taken = buckets.take(accountId, largeBodyRate, yield* Clock.currentTimeMillis, bytes)
    if (!taken.isAllowed) {
      return yield* refusal("Too many bytes in large bodies of this account", taken, "large_bodies")
    }
  })
}

/** What the request says of its body, but no more than is ever read. A body of an unknown size counts as the largest. */
const bytesOf = (headers: Headers): number => {
  const largest = ByteSize.toNumberUnsafe(bodySizeMax)
  if (headers["transfer-encoding"] !== undefined) return largest
  const length = Number(headers["content-length"] ?? 0)
  return Number.isFinite(length) ? Math.min(length, largest) : largest
}
