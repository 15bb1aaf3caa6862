/** The 429 of who has come too often. */
import { TooManyRequests } from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import * as Effect from "effect/Effect"
import type { Taken } from "./TokenBuckets.ts"

export const refusal = Effect.fnUntraced(function* (
  what: string,
  { limit, retrySeconds }: Pick<Taken, "limit" | "retrySeconds">
) {
  return yield* new TooManyRequests({
    error: {
      code: "rate_limited",
      message: `${what}: try again in ${retrySeconds} s`,
      details: { limit, retry_after_seconds: retrySeconds },
      request_id: yield* CurrentRequestId
    }
  })
})
