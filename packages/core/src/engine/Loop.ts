/** Loops that outlive the failure of a round: that is a problem for an operator, and no reason to stop. */
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { soon } from "../runs/DueTimes.ts"
import { Signals, type Topic } from "../signals/Signals.ts"

/** Logs a failure, and goes on with something else instead. An interruption still ends it. */
export const surviving =
  <B, R2>(failure: string, instead: Effect.Effect<B, never, R2>) =>
  <A, E, R>(round: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R | R2> =>
    Effect.catchCause(round, (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.andThen(Effect.logError(failure, cause), instead)
    )

/** Repeats a round until it is interrupted. */
export const forever = <A, E, R, B, R2>(
  round: Effect.Effect<A, E, R>,
  options: {
    /** What is logged of a round that failed. */
    readonly failure: string
    /** What is waited for before the next one then. */
    readonly afterFailure: Effect.Effect<B, never, R2>
  }
): Effect.Effect<never, never, R | R2> =>
  Effect.forever(surviving<B, R2>(options.failure, options.afterFailure)(round))

/**
 * Repeats a turn until the scope ends. Each turn answers how long to wait for a signal before the next: at most until it
 * would look by itself, and not at all if there is more to do.
 */
export const signalled = Effect.fnUntraced(function* <E, R>({
  failure,
  gathering,
  topic,
  turn
}: {
  readonly topic: Topic
  readonly turn: Effect.Effect<Duration.Duration, E, R>
  /** How long further signals are awaited after the first. Default: not at all. */
  readonly gathering?: Duration.Duration
  /** What is logged of a turn that failed. */
  readonly failure: string
}) {
  const heard = yield* (yield* Signals).subscribe([topic])
  const woken = gathering === undefined ? heard : Effect.andThen(heard, Effect.sleep(gathering))
  const wait = (longest: Duration.Duration) => Effect.timeoutOption(woken, Duration.min(longest, soon))
  const turnAndWait = Effect.flatMap(turn, (rest) => (Duration.isPositive(rest) ? wait(rest) : Effect.void))
  yield* Effect.forkScoped(forever(turnAndWait, { failure, afterFailure: wait(soon) }))
})

/** After work there is a rest as long as it took, within bounds, for the requests of callers. */
export const restAfter = Duration.clamp({ minimum: Duration.millis(20), maximum: Duration.seconds(1) })

/** How long to wait for what is due then; null: nothing is known to be. */
export const untilDue = (at: DateTime.Utc, dueAt: DateTime.Utc | null): Duration.Duration =>
  dueAt === null ? soon : DateTime.distance(at, dueAt)

/** Between two turns of one walk, to leave the database to others. */
const pace = Duration.millis(100)

/** Walks until the scope ends, turn by turn, with a rest after each walk. Each turn answers whether there is more to do. */
const walking =
  (rest: Duration.Duration) =>
  <E, R>(turn: Effect.Effect<boolean, E, R>, failure: string): Effect.Effect<void, never, R | Scope.Scope> =>
    turn.pipe(
      surviving(failure, Effect.succeed(false)),
      Effect.flatMap((hasMore) => Effect.sleep(hasMore ? pace : rest)),
      Effect.forever,
      Effect.forkScoped,
      Effect.asVoid
    )

export const everyFewSeconds = walking(Duration.seconds(5))

export const everyMinute = walking(Duration.minutes(1))

export const hourly = walking(Duration.hours(1))

export const daily = walking(Duration.days(1))
