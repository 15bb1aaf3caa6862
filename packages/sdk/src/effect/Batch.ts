/** Sends many items, and those again that were refused for now, until all are in or the call ends. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { answeredAgain, refusedItems } from "../call/RefusedItems.ts"
import { limitsOf, type StandingLimits } from "../call/Settings.ts"
import type { Batch } from "../requests/Request.ts"
import type { Send } from "./Send.ts"
import { type CallOptions, limitsIn } from "./Settings.ts"

export const sendBatch = Effect.fnUntraced(function* <Item>(
  { items, requestOf }: Batch<Item, CallOptions>,
  { limits, send }: { readonly limits: StandingLimits; readonly send: Send }
) {
  const first = requestOf(items)
  const { options = {} } = first
  const { retries, timeoutMs } = limitsOf(limitsIn(options), limits)
  const endsAt = (yield* Clock.currentTimeMillis) + timeoutMs
  let answered = yield* send(first)
  for (let attempt = 1; ; attempt++) {
    const { data } = answered
    const leftMs = endsAt - (yield* Clock.currentTimeMillis)
    const again = refusedItems(data, { attempt, leftMs, random: yield* Random.next, retries })
    if (again === null) return answered
    yield* Effect.sleep(again.delayMs)
    const request = requestOf(again.places.flatMap((place) => items[place] ?? []))
    const timeout = Math.max(0, endsAt - (yield* Clock.currentTimeMillis))
    const next = yield* send({ ...request, options: { ...options, timeout } }).pipe(
      // Nothing was done, so the items are as they were.
      Effect.catchIf(
        ({ status }) => status === 429,
        () => Effect.succeed(null)
      )
    )
    if (next === null) return answered
    answered = { ...next, data: answeredAgain(data, again.places, next.data) }
  }
})
