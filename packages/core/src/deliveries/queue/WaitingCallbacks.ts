/** How many callbacks of this process wait for a place. While many do, fewer of the requests that cause more are begun. */
import * as Context from "effect/Context"

export const WaitingCallbacks = Context.Reference<{ count: number }>(
  "@runhook/core/deliveries/queue/WaitingCallbacks",
  { defaultValue: () => ({ count: 0 }) }
)
