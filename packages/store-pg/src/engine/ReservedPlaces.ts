/**
 * Places that this process reserves for items before they are stored. Each is told once what happened to its item;
 * otherwise it would stay reserved for ever.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

type Outcomes<Item, Outcome> = ReadonlyMap<Item, Exit.Exit<Outcome>>

export const withPlaces =
  <Item, Place, Outcome>(options: {
    readonly placesFor: (items: ReadonlyArray<Item>) => ReadonlyMap<Item, Place>
    /** Tells a place the outcome of its item; undefined when it is unknown. */
    readonly tell: (item: Item, place: Place, outcome: Outcome | undefined) => void
  }) =>
  /** Stores items with their places, in a transaction of their own. */
  <E = never>(
    items: ReadonlyArray<Item>,
    store: (places: ReadonlyMap<Item, Place>) => Effect.Effect<Outcomes<Item, Outcome>, E>
  ): Effect.Effect<Outcomes<Item, Outcome>, E> =>
    Effect.suspend(() => {
      const places = options.placesFor(items)
      return Effect.onExit(store(places), (exit) =>
        Effect.sync(() => {
          for (const [item, place] of places) {
            const outcome = Exit.isSuccess(exit) ? exit.value.get(item) : undefined
            const isKnown = outcome !== undefined && Exit.isSuccess(outcome)
            options.tell(item, place, isKnown ? outcome.value : undefined)
          }
        })
      )
    })
