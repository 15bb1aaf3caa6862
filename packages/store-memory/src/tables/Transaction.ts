/** The one way to change several tables together. */
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"

/**
 * Reads and writes tables within one turn, so that no other caller comes in
 * between. Nothing is rolled back: a body fails before it writes.
 */
export const transaction = <A, E>(body: () => Result.Result<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => Effect.fromResult(body()))
