/** Looks again and again, woken by signals, until there is an answer or no time is left. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Draining } from "./Draining.ts"
import { Signals, type Topic } from "./ports/Signals.ts"

/** Looked again after that long even without a signal, since signals are hints. */
const lookEvery = Duration.seconds(5)

/** What a look found: `isFinal` ends the wait; `lookAgainAt` is when something may have changed by itself. */
export interface Look<Found> {
  readonly found: Found
  readonly isFinal: boolean
  readonly lookAgainAt?: DateTime.Utc | null
}

/**
 * Answers what the first final look found, or the last look when the time is
 * up or the service drains. Looks once more at the end, so that nothing that
 * came in time is missed.
 */
export const lookUntil = <Found, E, R>(options: {
  readonly topics: ReadonlyArray<Topic>
  readonly wait: Duration.Duration
  readonly look: Effect.Effect<Look<Found>, E, R>
}): Effect.Effect<Found, E, R | Draining | Signals> =>
  Effect.gen(function* () {
    const draining = yield* Draining
    const signals = yield* Signals
    const woken = yield* signals.subscribe([...options.topics, "draining"])
    const end = DateTime.addDuration(yield* DateTime.now, options.wait)
    while (true) {
      const { found, isFinal, lookAgainAt } = yield* options.look
      const now = yield* DateTime.now
      if (isFinal || DateTime.isGreaterThanOrEqualTo(now, end) || (yield* draining.hasBegun)) return found
      const until = [end, DateTime.addDuration(now, lookEvery), ...(lookAgainAt ? [lookAgainAt] : [])]
      const pause = DateTime.distance(
        now,
        until.reduce((first, second) => DateTime.min(first, second))
      )
      yield* Effect.timeoutOption(woken, Duration.max(pause, Duration.millis(1)))
    }
  }).pipe(Effect.scoped)
