/** Forgets deliveries that have had their time: in every process, once an hour, also after a restart. */
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Retention } from "./domain/Retention.ts"
import { SweepStore } from "./ports/SweepStore.ts"

/** Deliveries that one transaction may forget. */
const limit = 1_000

/** Between two transactions, so that others have the database too. */
const pace = Duration.millis(100)

/** Between two walks over all deliveries. */
const rest = Duration.hours(1)

/** Forgets until the scope ends. */
export const layerLoop = (retention: Retention): Layer.Layer<never, never, SweepStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* SweepStore

      const turn = Effect.gen(function* () {
        const at = yield* DateTime.now
        const { hasMore } = yield* store.forgetDeliveries({ retention, at, limit })
        yield* Effect.sleep(hasMore ? pace : rest)
      })

      yield* turn.pipe(
        // A failed turn is an operator's problem, never the end of the loop.
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.andThen(Effect.logError("Deliveries could not be forgotten", cause), Effect.sleep(rest))
        ),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
