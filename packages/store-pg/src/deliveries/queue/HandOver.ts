/** Hands events of this process straight to its own dispatcher, in places that the dispatcher has reserved. */
import type { Execution } from "@runhook/core/domain/execution/Execution"
import type { Change } from "@runhook/core/domain/run/Run"
import type { Begun, DeliveryInlets, Place } from "@runhook/core/runtime/DeliveryInlets"
import { withPlaces } from "../../engine/ReservedPlaces.ts"

/** The places of items that have one. */
export type Places<Item> = ReadonlyMap<Item, Place>

/** The outcome of an item's event: begun in its place, not begun, or unknown. */
export type Ending = Begun | "doubted" | "freed"

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
  readonly endingOf: (item: Item, outcome: Outcome) => Ending
}) => {
  const { changeOf, endingOf, inlets } = options

  const placesFor = (items: ReadonlyArray<Item>): Places<Item> => {
    const places = new Map<Item, Place>()
    for (const item of items) {
      const place = inlets.placeFor(changeOf(item))
      if (place !== undefined) places.set(item, place)
    }
    return places
  }

  const end = (place: Place, { run, ...change }: Change, ending: Ending): void => {
    if (ending === "freed") place.free()
    else if (ending === "doubted") place.doubt()
    else place.begin({ ...change, run: { ...run, execution: asStored(run.execution) } }, ending)
  }

  return withPlaces<Item, Place, Outcome>({
    placesFor,
    tell: (item, place, outcome) =>
      end(place, changeOf(item), outcome === undefined ? "doubted" : endingOf(item, outcome))
  })
}
