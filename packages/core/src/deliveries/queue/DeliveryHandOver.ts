/** Hands events that this process has stored straight to its dispatchers. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Delivery, isFetched } from "../Delivery.ts"
import { claim } from "../steps/DeliveryMoves.ts"
import { deliveryOf } from "../Outbox.ts"
import type { Change } from "../../runs/Run.ts"
import type { ComingEvent, DeliveryInlet } from "./DeliveryInlet.ts"
import { DeliveryInlets, type Place } from "./DeliveryInlets.ts"

/** The callback that is stored with a change, if any. */
const callbackOf = ({ deliveryId, run: { execution } }: Change): ComingEvent | undefined => {
  const { id: executionId, accountId, callbackUrl: url } = execution
  return deliveryId && { id: deliveryId, accountId, executionId, endpointId: null, url }
}

export const layer = Layer.sync(DeliveryInlets, () => {
  const inlets = new Set<DeliveryInlet>()

  /** A place that is told the new delivery, with the same bytes that a read would give; null if there is none. */
  const reserve = (event: ComingEvent): Place<Delivery | null> | undefined => {
    for (const { dispatcher, lease, reservePlace } of inlets) {
      const kept = reservePlace(event)
      if (kept === null) continue
      return {
        dispatcher,
        lease,
        begin: (delivery, { at, behind }) => {
          if (delivery === null) kept.free()
          else kept.begin(claim(delivery, { at, lease }), behind)
        },
        doubt: () => kept.doubt(),
        free: () => kept.free()
      }
    }
    return undefined
  }

  return DeliveryInlets.of({
    open: (inlet) =>
      Effect.acquireRelease(
        Effect.sync(() => inlets.add(inlet)),
        () => Effect.sync(() => inlets.delete(inlet))
      ),
    placeFor: (change) => {
      const event = callbackOf(change)
      const place = event && reserve(event)
      return (
        event &&
        place && {
          ...place,
          begin: (stored, begun) => place.begin(deliveryOf(stored, event.id, begun.at), begun)
        }
      )
    },
    placeForEndpoint: (event, executionId) =>
      isFetched(event) ? undefined : reserve({ ...event, executionId })
  })
})
