/** Forgets counts that have had their time: in every process, once an hour, also after a restart. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UsageStore } from "../ports/UsageStore.ts"

/** How long counts by day are kept, and when a receiver was last sent to. */
export const UsageKept = Context.Reference<Duration.Duration>("@runhook/core/UsageKept", {
  defaultValue: () => Duration.days(400)
})

/** How long counts by hour are kept, unless those by day are not kept for as long. */
const hoursKept = Duration.days(32)

/** How long those of receivers are: no more is ever shown than a day. */
const receiversKept = Duration.hours(26)

/** What one transaction may forget of each kind. */
const limit = 1_000

/** Between two of them, so that others have the database too. */
const pace = Duration.millis(100)

/** Between two walks over all that is old. */
const rest = Duration.hours(1)

export const layerLoop: Layer.Layer<never, never, UsageStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* UsageStore
    const kept = yield* UsageKept

    const turn = Effect.gen(function* () {
      const at = yield* DateTime.now
      const forgotten = yield* store.forget({
        days: DateTime.subtractDuration(at, kept),
        hours: DateTime.subtractDuration(at, Duration.min(hoursKept, kept)),
        receivers: DateTime.subtractDuration(at, receiversKept),
        limit
      })
      return forgotten >= limit
    })

    yield* turn.pipe(
      // A failed turn is an operator's problem, never the end of the loop.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.as(Effect.logError("Counts of usage could not be forgotten", cause), false)
      ),
      Effect.flatMap((hasMore) => Effect.sleep(hasMore ? pace : rest)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
