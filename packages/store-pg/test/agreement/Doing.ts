/** How a step acts on a side, and how its numbers choose arguments. */
import type { Stores } from "@runhook/store-testing/Fixtures"
import type * as Effect from "effect/Effect"
import type { Side } from "./Side.ts"
import type { Step } from "./Step.ts"

export type Doing = (side: Side, step: Step) => Effect.Effect<unknown, unknown, Stores>

export const bit = (how: number, place: number): boolean => ((how >> place) & 1) === 1

export const pick = <A>(options: readonly [A, ...ReadonlyArray<A>], how: number): A =>
  options[how % options.length] ?? options[0]
