/** Ends runs that are out of time, in rounds, in every process, also after a restart. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Change } from "../runs/Run.ts"
import { type SweepRound, SweepStore } from "./SweepStore.ts"
import { makeAnnounce } from "../signals/ChangeSignals.ts"
import * as Loop from "../engine/Loop.ts"
import { lostLeases } from "../engine/ServiceMetrics.ts"
import { spanned } from "../engine/UseCase.ts"

/** Rows one statement may sweep. */
const roundLimit = 500

/** Statements of one kind in one round, so that a flood of one kind does not hold up the others for ever. */
const repeatsMax = 20

/** What falls due during a round waits at most this long. */
const afterRound = Duration.seconds(1)

/** Signals may come by the thousand, so they gather for this long. */
const gathering = Duration.millis(100)

/** A failure of one kind of sweep does not stop the others. */
const failure = "Sweep failed"

export class Sweeps extends Context.Service<Sweeps>()("@runhook/core/sweeps/Sweeps", {
  make: Effect.gen(function* () {
    const store = yield* SweepStore
    const announce = yield* makeAnnounce

    /** Repeats a sweep until fewer rows were due than one statement may sweep. */
    const exhaust = Effect.fnUntraced(function* (
      sweep: (round: SweepRound) => Effect.Effect<number>,
      at: DateTime.Utc
    ) {
      for (let repeat = 0; repeat < repeatsMax; repeat++) {
        if ((yield* sweep({ at, limit: roundLimit })) < roundLimit) return
      }
    })

    const announced = (verb: (round: SweepRound) => Effect.Effect<ReadonlyArray<Change>>) =>
      Effect.fnUntraced(function* (round: SweepRound) {
        const changes = yield* verb(round)
        yield* announce(changes)
        return changes.length
      })

    const kinds = [
      announced((sweep) => Effect.tap(store.expireLeases(sweep), (lost) => lostLeases(lost.length))),
      announced(store.timeOutRuns),
      announced(store.expireInputs),
      announced(store.expireExecutions),
      (sweep: SweepRound) => Effect.map(store.prune("expired", sweep), ({ pruned }) => pruned)
    ]

    /** Sweeps everything that is due now, once. */
    const round = Effect.gen(function* () {
      const at = yield* DateTime.now
      yield* Effect.forEach(kinds, (sweep) => exhaust(sweep, at).pipe(Loop.surviving(failure, Effect.void)))
    }).pipe(spanned("Sweeps.round"))

    return { round }
  })
}) {
  static readonly layer = Layer.effect(Sweeps, Sweeps.make)

  /**
   * Sweeps until the scope ends: when the next thing falls due, but at most once a
   * second. Without anything due it asks the store every few seconds, and whenever a
   * signal says that something falls due sooner.
   */
  static readonly layerLoop = Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* SweepStore
      const sweeps = yield* Sweeps

      const turn = Effect.gen(function* () {
        const at = yield* DateTime.now
        const rest = Loop.untilDue(at, yield* store.nextDueAt(at))
        if (!Duration.isPositive(rest)) yield* Effect.andThen(sweeps.round, Effect.sleep(afterRound))
        return rest
      })

      yield* Loop.signalled({ topic: "sweeps", turn, gathering, failure })
    })
  )
}
