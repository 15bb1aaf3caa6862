/** How many callbacks of this process wait for a place to be sent: while they are many, what causes more takes its time. */
import * as Context from "effect/Context"

export const WaitingCallbacks = Context.Reference<{ count: number }>(
  "@runhook/core/runtime/WaitingCallbacks",
  { defaultValue: () => ({ count: 0 }) }
)
