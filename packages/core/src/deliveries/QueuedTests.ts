/** How a test webhook is queued, to a URL or to a standing endpoint. */
import * as Effect from "effect/Effect"
import { testQueued } from "../audit/ActivityEvents.ts"
import { type Delivery, isFetched } from "./Delivery.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changeOf } from "../signals/ChangeSignals.ts"
import { intervention } from "../audit/Audited.ts"

/** Queues it, and answers what it waits for. */
export const makeQueueTest = Effect.gen(function* () {
  const signals = yield* Signals
  const store = yield* DeliveryStore

  return Effect.fnUntraced(function* (delivery: Delivery) {
    const { accountId, endpointId, id } = delivery
    const wait = yield* store.enqueue(delivery, yield* intervention(testQueued))
    yield* signals.notify([
      isFetched(delivery) && endpointId !== null ? (`messages:${endpointId}` as const) : "deliveries",
      changeOf(accountId, "delivery", { id, state: "pending", isNew: true })
    ])
    return { delivery, wait }
  })
})
