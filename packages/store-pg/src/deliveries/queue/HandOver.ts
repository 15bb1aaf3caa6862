/** Hands events of this process straight to its own dispatcher, in places that the dispatcher has reserved. */
import type { Execution } from "@runhook/core/executions/Execution"
import type { Change } from "@runhook/core/runs/Run"
import type { AttemptStart, DeliveryInlets, Place } from "@runhook/core/deliveries/queue/DeliveryInlets"
import { withPlaces } from "../../engine/ReservedPlaces.ts"

/** The places of items that have one. */
export type Places<Item, Stored = Change> = ReadonlyMap<Item, Place<Stored>>

/** The outcome of an item's event: begun in its place, not begun, or unknown. */
export type Ending = AttemptStart | "doubted" | "freed"

/** UTF-8 has no lone surrogates, so stored text has none. JSON escapes can express them. */
export const asStored = (execution: Execution): Execution => ({
  ...execution,
  errorMessage: execution.errorMessage?.toWellFormed() ?? null,
  reference: execution.reference.toWellFormed(),
  requestId: execution.requestId.toWellFormed()
})

const changeAsStored = ({ run, ...change }: Change): Change => ({
  ...change,
  run: { ...run, execution: asStored(run.execution) }
})

/** For items whose callbacks are stored with a change. */
export const makeHandOver = <Item, Outcome>({
  changeOf,
  endingOf,
  inlets
}: {
  readonly inlets: DeliveryInlets["Service"]
  /** The change that an item makes, if it is stored. */
  readonly changeOf: (item: Item) => Change
  /** What an outcome says of the event. Called only for items that have a place. */
  readonly endingOf: (item: Item, outcome: Outcome) => Ending
}) =>
  handOverWith<Item, Outcome, Change>({
    placeFor: (item) => inlets.placeFor(changeOf(item)),
    storedOf: (item) => changeAsStored(changeOf(item)),
    endingOf
  })

export const handOverWith = <Item, Outcome, Stored>(options: {
  readonly placeFor: (item: Item) => Place<Stored> | undefined
  /** What is stored of an item. Called only for items that were begun in their place. */
  readonly storedOf: (item: Item) => Stored
  /** What an outcome says of the event. Called only for items that have a place. */
  readonly endingOf: (item: Item, outcome: Outcome) => Ending
}) => {
  const { endingOf, placeFor, storedOf } = options

  const placesFor = (items: ReadonlyArray<Item>): Places<Item, Stored> => {
    const places = new Map<Item, Place<Stored>>()
    for (const item of items) {
      const place = placeFor(item)
      if (place !== undefined) places.set(item, place)
    }
    return places
  }

  return withPlaces<Item, Place<Stored>, Outcome>({
    placesFor,
    tell: (item, place, outcome) => {
      const ending = outcome === undefined ? "doubted" : endingOf(item, outcome)
      if (ending === "freed") place.free()
      else if (ending === "doubted") place.doubt()
      else place.begin(storedOf(item), ending)
    }
  })
}
