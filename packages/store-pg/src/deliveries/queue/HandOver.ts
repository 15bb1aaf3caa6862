/** Hands events of this process straight to its own dispatcher, in places that the dispatcher has reserved. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import { claim } from "@runhook/core/domain/delivery/DeliveryMoves"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import { deliveryOf } from "@runhook/core/domain/execution/Outbox"
import type { Change } from "@runhook/core/domain/run/Run"
import type { EventId } from "@runhook/core/domain/Ids"
import type { ComingEvent } from "@runhook/core/ports/DeliveryInlet"
import type { DeliveryInlets, Place } from "@runhook/core/runtime/DeliveryInlets"
import type * as DateTime from "effect/DateTime"
import { withPlaces } from "../../batches/ReservedPlaces.ts"

/** The places of items that have one. */
export type Places<Item> = ReadonlyMap<Item, Place>

/** An event whose first attempt was begun as it was stored, possibly behind another one. */
export interface Begun {
  readonly behind: EventId | null
}

/** The outcome of an item's event: begun in its place, not begun, or unknown. */
export type Ending = (Begun & { readonly delivery: Delivery }) | "doubted" | "freed"

/** The event that is stored with a change, if any. */
const eventOf = ({ deliveryId, run: { execution } }: Change): ComingEvent | null => {
  const { id: executionId, accountId, callbackUrl: url } = execution
  return deliveryId === undefined ? null : { id: deliveryId, accountId, executionId, url }
}

/**
 * The delivery of a change whose event was begun at a moment, as the store holds it: the same bytes that a read would
 * give.
 */
export const begunBy = (
  change: Change,
  { lease }: Place,
  { at, behind }: Begun & { readonly at: DateTime.Utc }
): Ending => {
  const stored = { ...change, run: { ...change.run, execution: asStored(change.run.execution) } }
  const delivery = change.deliveryId === undefined ? null : deliveryOf(stored, change.deliveryId, at)
  return delivery === null ? "freed" : { behind, delivery: claim(delivery, { at, lease }) }
}

/** UTF-8 has no lone surrogates, so stored text has none. JSON escapes can express them. */
export const asStored = (execution: Execution): Execution => ({
  ...execution,
  errorMessage: execution.errorMessage?.toWellFormed() ?? null,
  reference: execution.reference.toWellFormed(),
  requestId: execution.requestId.toWellFormed()
})

export const makeHandOver = <Item, Outcome>(options: {
  readonly inlets: DeliveryInlets["Service"]
  /** The change that an item makes, if it is stored. */
  readonly changeOf: (item: Item) => Change
  /** What an outcome says of the event. Called only for items that have a place. */
  readonly endingOf: (item: Item, outcome: Outcome, place: Place) => Ending
}) => {
  const { changeOf, endingOf, inlets } = options

  const placesFor = (items: ReadonlyArray<Item>): Places<Item> => {
    const places = new Map<Item, Place>()
    for (const item of items) {
      const event = eventOf(changeOf(item))
      const place = event === null ? undefined : inlets.placeFor(event)
      if (place !== undefined) places.set(item, place)
    }
    return places
  }

  const end = ({ kept }: Place, ending: Ending): void => {
    if (ending === "freed") kept.free()
    else if (ending === "doubted") kept.doubt()
    else kept.begin(ending.delivery, ending.behind)
  }

  return withPlaces<Item, Place, Outcome>({
    placesFor,
    tell: (item, place, outcome) =>
      end(place, outcome === undefined ? "doubted" : endingOf(item, outcome, place))
  })
}
