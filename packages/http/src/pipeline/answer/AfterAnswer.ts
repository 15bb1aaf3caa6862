/** What happens after a request was answered. */
import type * as Effect from "effect/Effect"
import type { Call } from "../Call.ts"

export type AfterAnswer = (call: Call, status: number) => Effect.Effect<void>

/** The status that nginx made common for callers that hung up before their answer. */
export const abandoned = 499
