/** Hands events that this process has stored straight to its dispatchers. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { claim } from "../domain/delivery/DeliveryMoves.ts"
import { deliveryOf } from "../domain/execution/Outbox.ts"
import type { Change } from "../domain/run/Run.ts"
import type { ComingEvent, DeliveryInlet } from "../ports/DeliveryInlet.ts"
import { type Begun, DeliveryInlets } from "./DeliveryInlets.ts"

/** The event that is stored with a change, if any. */
const eventOf = ({ deliveryId, run: { execution } }: Change): ComingEvent | undefined => {
  const { id: executionId, accountId, callbackUrl: url } = execution
  return deliveryId && { id: deliveryId, accountId, executionId, url }
}

/** The delivery of a change whose event was begun, with the same bytes that a read would give. */
const begunBy = (change: Change, { lease }: DeliveryInlet, { at }: Begun) => {
  const delivery = change.deliveryId === undefined ? null : deliveryOf(change, change.deliveryId, at)
  return delivery && claim(delivery, { at, lease })
}

export const layer = Layer.sync(DeliveryInlets, () => {
  const inlets = new Set<DeliveryInlet>()
  return DeliveryInlets.of({
    open: (inlet) =>
      Effect.acquireRelease(
        Effect.sync(() => inlets.add(inlet)),
        () => Effect.sync(() => inlets.delete(inlet))
      ),
    placeFor: (change) => {
      const event = eventOf(change)
      if (event === undefined) return undefined
      for (const inlet of inlets) {
        const kept = inlet.reservePlace(event)
        if (kept === null) continue
        return {
          dispatcher: inlet.dispatcher,
          lease: inlet.lease,
          begin: (stored, begun) => {
            const delivery = begunBy(stored, inlet, begun)
            if (delivery === null) kept.free()
            else kept.begin(delivery, begun.behind)
          },
          doubt: () => kept.doubt(),
          free: () => kept.free()
        }
      }
      return undefined
    }
  })
})
