/** The 429 for a caller that comes too often. */
import { TooManyRequests } from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import * as Effect from "effect/Effect"
import type { Taken } from "./TokenBuckets.ts"

/** How many items of a call are let through, the first ones, and what each of the others is answered. */
export interface Allowed {
  readonly count: number
  readonly refusals: ReadonlyArray<Effect.Effect<never, TooManyRequests>>
}

/** A `reason` names a limit other than the ordinary one of requests. */
export const refusal = Effect.fnUntraced(function* (
  what: string,
  { limit, retrySeconds }: Pick<Taken, "limit" | "retrySeconds">,
  named: { readonly reason?: string } = {}
) {
  return yield* new TooManyRequests({
    error: {
      code: "rate_limited",
      message: `${what}: try again in ${retrySeconds} s`,
      details: { ...named, limit, retry_after_seconds: retrySeconds },
      request_id: yield* CurrentRequestId
    }
  })
})
