/** Loops that outlive the failure of a round: that is a problem for an operator, and no reason to stop. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

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

export const hourly = walking(Duration.hours(1))

export const daily = walking(Duration.days(1))
