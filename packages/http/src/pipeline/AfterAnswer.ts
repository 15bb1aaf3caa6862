/** What is done about a request once it is answered. */
import type * as Effect from "effect/Effect"
import type { Call } from "./Call.ts"

export type AfterAnswer = (call: Call, status: number) => Effect.Effect<void>

/** The status nginx made common for callers that hung up before their answer. */
export const abandoned = 499
