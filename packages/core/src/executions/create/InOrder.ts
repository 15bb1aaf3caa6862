/** Creates of one request, decided as if each was made after the one before it. */
import * as Effect from "effect/Effect"
import type { Execution } from "../Execution.ts"

/** A create that may begin now, and whether it is refused rather than waits for a seat of its concurrency key. */
export interface Create<A, E, R> {
  readonly isRefusable: boolean
  readonly create: Effect.Effect<A, E, R>
}

export const isRefusable = ({ concurrency }: Pick<Execution, "concurrency">): boolean =>
  concurrency?.policy === "reject"

/**
 * Makes them: those that follow one another at once, as a store decides creates in the order in which they begin. One
 * that needs a seat waits for all before it, and all behind it wait for it, since it takes what they may have.
 */
export const createInOrder = Effect.fnUntraced(function* <A, E, R>(creates: ReadonlyArray<Create<A, E, R>>) {
  const made: Array<A> = []
  const together: Array<Effect.Effect<A, E, R>> = []
  const makeThese = Effect.suspend(() =>
    Effect.map(Effect.all(together.splice(0), { concurrency: "unbounded" }), (some) => made.push(...some))
  )
  for (const { create, isRefusable: isAlone } of creates) {
    if (isAlone) yield* makeThese
    together.push(create)
    if (isAlone) yield* makeThese
  }
  yield* makeThese
  return made
})
