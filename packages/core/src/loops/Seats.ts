/** Gives the seats of concurrency keys to executions that wait for them, in every process, also after a restart. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { replacedReason } from "../domain/execution/Concurrency.ts"
import { soon } from "../domain/run/DueTimes.ts"
import { ExecutionStore } from "../ports/ExecutionStore.ts"
import { Signals } from "../ports/Signals.ts"
import { SweepStore } from "../ports/SweepStore.ts"
import { makeAnnounce } from "../runtime/ChangeSignals.ts"
import * as Loop from "../runtime/Loop.ts"
import { spanned } from "../usecases/UseCase.ts"

/** Keys that one round looks at. */
const roundLimit = 50

const failure = "Seats of concurrency keys not given"

export class Seats extends Context.Service<Seats>()("@runhook/core/loops/Seats", {
  make: Effect.gen(function* () {
    const executions = yield* ExecutionStore
    const store = yield* SweepStore
    const signals = yield* Signals
    const announce = yield* makeAnnounce

    /** Gives what seats are free, once; answers how many keys it has looked at. */
    const round = Effect.gen(function* () {
      const at = yield* DateTime.now
      const { inTheWay, keys, seated } = yield* store.giveSeats({ at, limit: roundLimit })
      yield* signals.notify(seated.map(({ accountId, agentId }) => `work:${accountId}:${agentId}` as const))
      yield* Effect.forEach(inTheWay, (ref) =>
        executions.stop({ ...ref, to: "cancelled", reason: replacedReason, at }).pipe(
          Effect.flatMap((change) => announce([change])),
          // It was removed meanwhile.
          Effect.catchTag("ExecutionNotFound", () => Effect.void)
        )
      )
      return keys
    }).pipe(spanned("Seats.round"))

    return { round }
  })
}) {
  static readonly layer = Layer.effect(Seats, Seats.make)

  /** Until the scope ends: at each signal, when an execution falls due, and every few seconds. */
  static readonly layerLoop = Layer.effectDiscard(
    Effect.gen(function* () {
      const seats = yield* Seats
      const store = yield* SweepStore
      const woken = yield* (yield* Signals).subscribe(["seats"])
      const wait = (longest: Duration.Duration) => Effect.timeoutOption(woken, longest)

      const turn = Effect.gen(function* () {
        if ((yield* seats.round) > 0) return
        const at = yield* DateTime.now
        const next = yield* store.nextSeatAt(at)
        yield* wait(next === null ? soon : Duration.clamp(DateTime.distance(at, next), bounds))
      })

      yield* Effect.forkScoped(Loop.forever(turn, { failure, afterFailure: wait(soon) }))
    })
  )
}

/** What another process looks at just now is looked at again after a moment. */
const bounds = { minimum: Duration.millis(20), maximum: soon }
