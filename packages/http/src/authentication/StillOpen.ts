/** Whether the key or session that a request came with still opens what it opened, for those who wait long. */
import * as Effect from "effect/Effect"
import { CurrentCall } from "../pipeline/Call.ts"

/** Null where nobody asks. */
export const stillOpen = Effect.map(CurrentCall, ({ authenticated }) => authenticated?.stillOpen ?? null)
