/** Gives the seats of concurrency keys to executions that wait for them, in every process, also after a restart. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { replacedReason } from "./Concurrency.ts"
import { ExecutionStore } from "../../executions/ExecutionStore.ts"
import { Signals } from "../../signals/Signals.ts"
import { SweepStore } from "../../sweeps/SweepStore.ts"
import { makeAnnounce } from "../../signals/ChangeSignals.ts"
import * as Loop from "../../engine/Loop.ts"
import { spanned } from "../../engine/UseCase.ts"

/** Keys that one round looks at. */
const roundLimit = 50

/** What another process looks at just now is looked at again after a moment. */
const moment = Duration.millis(20)

/** Until the scope ends: at each signal, when an execution falls due, and every few seconds. */
export const layerLoop = Layer.effectDiscard(
  Effect.gen(function* () {
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

    const turn = Effect.gen(function* () {
      if ((yield* round) > 0) return Duration.zero
      const at = yield* DateTime.now
      return Duration.max(moment, Loop.untilDue(at, yield* store.nextSeatAt(at)))
    })

    yield* Loop.signalled({ topic: "seats", turn, failure: "Seats of concurrency keys not given" })
  })
)
