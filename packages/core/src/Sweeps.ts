/** The rounds that end what nobody else will end, in every process, also after a restart. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { announce } from "./ChangeSignals.ts"
import type { Change } from "./domain/Run.ts"
import { Signals } from "./ports/Signals.ts"
import { type SweepRound, SweepStore } from "./ports/SweepStore.ts"

/** Rows one statement may sweep. */
const roundLimit = 500

/** Statements of one kind in one round, so that a flood cannot hold up the other kinds for ever. */
const repeatsMax = 20

export class Sweeps extends Context.Service<
  Sweeps,
  {
    /** Sweeps once, everything that is due now. */
    readonly round: Effect.Effect<void>
  }
>()("@runhook/core/Sweeps") {
  static readonly layer = Layer.effect(
    Sweeps,
    Effect.gen(function* () {
      const store = yield* SweepStore
      const signals = yield* Signals

      const sweep = Effect.fnUntraced(function* (
        verb: (round: SweepRound) => Effect.Effect<ReadonlyArray<Change>>,
        at: DateTime.Utc
      ) {
        for (let repeat = 0; repeat < repeatsMax; repeat++) {
          const changes = yield* verb({ at, limit: roundLimit })
          yield* announce(changes).pipe(Effect.provideService(Signals, signals))
          if (changes.length < roundLimit) return
        }
      })

      return Sweeps.of({
        round: Effect.gen(function* () {
          const at = yield* DateTime.now
          yield* sweep(store.expireLeases, at)
          yield* sweep(store.timeOutRuns, at)
          yield* sweep(store.expireInputs, at)
          yield* sweep(store.expireExecutions, at)
          yield* store.forget({ at, limit: roundLimit })
        }).pipe(Effect.withSpan("Sweeps.round"))
      })
    })
  )

  /** Sweeps every second until the scope ends. */
  static readonly layerLoop = Layer.effectDiscard(
    Effect.gen(function* () {
      const sweeps = yield* Sweeps
      yield* sweeps.round.pipe(
        // A failed round is an operator's problem, never the end of the loop.
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.logError("Sweep failed", cause)
        ),
        Effect.repeat(Schedule.spaced(Duration.seconds(1))),
        Effect.forkScoped
      )
    })
  )
}
