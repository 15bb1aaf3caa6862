/** Sends many items, and those again that were refused for now, until all are in or the call ends. */
import type { Clock } from "../call/Clock.ts"
import { answeredAgain, refusedItems } from "../call/RefusedItems.ts"
import { type CallOptions, limitsOf, type StandingLimits } from "../call/Settings.ts"
import { RunhookError } from "../Errors.ts"
import type { Batch } from "../requests/Request.ts"
import type { ExecutionsCreated } from "../wire/Integration.ts"
import type { Answered } from "./Answer.ts"
import type { Send } from "./Send.ts"

export const sendBatch = async <Item>(
  { items, requestOf }: Batch<Item, CallOptions>,
  { clock, limits, send }: { readonly clock: Clock; readonly limits: StandingLimits; readonly send: Send }
): Promise<Answered<ExecutionsCreated>> => {
  const first = requestOf(items)
  const { options = {} } = first
  const { signal = new AbortController().signal } = options
  const { retries, timeoutMs } = limitsOf(options, limits)
  const endsAt = clock.now() + timeoutMs
  let answered = await send(first).withResponse()
  for (let attempt = 1; ; attempt++) {
    const { data } = answered.body
    const leftMs = endsAt - clock.now()
    const again = refusedItems(data, { attempt, leftMs, random: clock.random(), retries })
    if (again === null) return answered
    await clock.sleep(again.delayMs, signal)
    const request = requestOf(again.places.flatMap((place) => items[place] ?? []))
    const timed = { ...options, timeoutMs: Math.max(0, endsAt - clock.now()) }
    try {
      const next = await send({ ...request, options: timed }).withResponse()
      const body = { ...next.body, data: answeredAgain(data, again.places, next.body.data) }
      answered = { ...next, body, attempts: answered.attempts + next.attempts }
    } catch (error) {
      // Nothing was done, so the items are as they were.
      if (error instanceof RunhookError && error.status === 429) return answered
      throw error
    }
  }
}
