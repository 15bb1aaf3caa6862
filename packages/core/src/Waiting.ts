/** Looks again and again, woken by signals, until there is an answer or no time is left. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { ApiKeyId, RunnerKeyId } from "./domain/Ids.ts"
import { Draining } from "./Draining.ts"
import { Signals, type Topic } from "./ports/Signals.ts"

/** Looked again after that long even without a signal, since signals are hints. */
export const lookEvery = Duration.seconds(5)

/** What a look found: `isFinal` ends the wait; `lookAgainAt` is when something may have changed by itself. */
export interface Look<Found> {
  readonly found: Found
  readonly isFinal: boolean
  readonly lookAgainAt?: DateTime.Utc | null
}

/** What wakes somebody who waits, and what ends the wait at once, with what was found so far. */
export interface Listening {
  readonly woken: Effect.Effect<void>
  readonly ended: Effect.Effect<void>
}

/** Wakes for these topics, and when the service drains. */
export const wokenBy = (
  topics: ReadonlyArray<Topic>
): Effect.Effect<Listening, never, Scope.Scope | Signals> =>
  Effect.gen(function* () {
    const woken = yield* (yield* Signals).subscribe([...topics, "draining"])
    return { woken, ended: Effect.never }
  })

/**
 * Answers what the first final look found, or the last look when the time is
 * up or the service drains. Looks once more at the end, so that nothing that
 * came in time is missed.
 */
export const lookUntil = <Found, E, R, L>(options: {
  readonly listen: Effect.Effect<Listening, never, L>
  readonly wait: Duration.Duration
  readonly look: Effect.Effect<Look<Found>, E, R>
}): Effect.Effect<Found, E, Draining | Exclude<L | R, Scope.Scope>> =>
  Effect.gen(function* () {
    const draining = yield* Draining
    const { ended, woken } = yield* options.listen
    const next = Effect.raceFirst(Effect.as(ended, "end" as const), Effect.as(woken, "look" as const))
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
      const heard = yield* Effect.timeoutOption(next, Duration.max(pause, Duration.millis(1)))
      if (Option.contains(heard, "end")) return found
    }
  }).pipe(Effect.scoped)

/** The key that somebody waits with. No wait outlives what it opens. */
export interface WaitingKey<E> {
  readonly id: ApiKeyId | RunnerKeyId
  /** Fails once it opens nothing. Answers when that will be by itself, null when it is not to be. */
  readonly opensUntil: Effect.Effect<DateTime.Utc | null, E>
}

/** A look that fails as the key does. Who looks so must also be woken by `key:` with its id. */
export const lookWhileOpen = <Found, E, R, E2>(
  key: WaitingKey<E>,
  look: Effect.Effect<Look<Found>, E2, R>
): Effect.Effect<Look<Found>, E | E2, R> =>
  Effect.flatMap(key.opensUntil, (end) =>
    Effect.map(look, (seen) => {
      const times = [end, seen.lookAgainAt].filter((time) => time !== null && time !== undefined)
      return { ...seen, lookAgainAt: times.length === 0 ? null : times.reduce((a, b) => DateTime.min(a, b)) }
    })
  )
