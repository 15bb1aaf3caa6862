/** How much callers may ask for, and for how long it is remembered. Hosts override it by providing the reference. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

export const ExecutionLimits = Context.Reference("@runhook/core/ExecutionLimits", {
  defaultValue: () => ({
    /** Unfinished executions an account may have at once. */
    accountMaxLive: 10_000,
    /** How long a create recognises its repeats. */
    idempotencyLifetime: Duration.days(7),
    /** Longest `?wait=` of a caller. */
    waitMax: Duration.seconds(60)
  })
})
