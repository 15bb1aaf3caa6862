/** A number of places for work in flight: who looks for work first waits for one, then takes as much as fits. */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

export interface Places {
  /** Waits until a place is free, then tells how many are. */
  readonly free: Effect.Effect<number>
  /** Runs work in a place, free or not: who asked first knows. */
  occupy<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
}

export const make = (count: number): Effect.Effect<Places> =>
  Effect.sync(() => {
    let free = count
    const hasFree = Latch.makeUnsafe(free > 0)

    const change = (by: number) =>
      Effect.sync(() => {
        free += by
        if (free > 0) hasFree.openUnsafe()
        else hasFree.closeUnsafe()
      })

    return {
      free: Effect.andThen(
        hasFree.await,
        Effect.sync(() => free)
      ),
      occupy: (work) =>
        Effect.acquireUseRelease(
          change(-1),
          () => work,
          () => change(1)
        )
    }
  })
