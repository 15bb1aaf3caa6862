/** Prunes old usage counts: in every process, once an hour, also after a restart. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { UsageStore } from "../ports/UsageStore.ts"
import * as Loop from "../runtime/Loop.ts"

/** How long daily counts are kept, and when a receiver was last sent to. */
export const UsageKept = Context.Reference<Duration.Duration>("@runhook/core/UsageKept", {
  defaultValue: () => Duration.days(400)
})

/** How long hourly counts are kept, unless daily ones are kept for less. */
const hoursKept = Duration.days(32)

/** How long counts of receivers are kept: only a day is ever shown. */
const receiversKept = Duration.hours(26)

/** What one transaction may prune of each kind. */
const limit = 1_000

export const layerLoop: Layer.Layer<never, never, UsageStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* UsageStore
    const kept = yield* UsageKept

    const turn = Effect.gen(function* () {
      const at = yield* DateTime.now
      const pruned = yield* store.prune({
        days: DateTime.subtractDuration(at, kept),
        hours: DateTime.subtractDuration(at, Duration.min(hoursKept, kept)),
        receivers: DateTime.subtractDuration(at, receiversKept),
        limit
      })
      return pruned >= limit
    })

    yield* Loop.hourly(turn, "Counts of usage could not be pruned")
  })
)
