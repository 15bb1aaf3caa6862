/** Forgets deliveries, artifacts and entries of the audit log that have had their time: in every process, once an hour, also after a restart. */
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { keptFor } from "../domain/console/ConsoleSession.ts"
import type { Retention } from "../domain/Retention.ts"
import { ArtifactStorage } from "../ports/ArtifactStorage.ts"
import { ConsoleStore } from "../ports/ConsoleStore.ts"
import { SweepStore } from "../ports/SweepStore.ts"
import { RunnerTimings } from "../Settings.ts"

/** What one transaction may forget. */
const limit = 1_000

/** Between two transactions, so that others have the database too. */
const pace = Duration.millis(100)

/** Between two walks over all that may be forgotten. */
const rest = Duration.hours(1)

const removalFailed = "A file of a forgotten artifact could not be removed"

/**
 * Forgets until the scope ends. Files of forgotten artifacts are removed by the
 * processes that have an `ArtifactStorage`; one that only delivers has none.
 */
export const layerLoop = (retention: Retention): Layer.Layer<never, never, SweepStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* SweepStore
      const storage = yield* Effect.serviceOption(ArtifactStorage)
      const finalizeMs = Duration.toMillis((yield* RunnerTimings).finalize)

      const forgetDeliveries = Effect.gen(function* () {
        const { hasMore } = yield* store.forgetDeliveries({ retention, at: yield* DateTime.now, limit })
        return hasMore
      })

      const forgetAudit = Effect.gen(function* () {
        const { hasMore } = yield* store.forgetAudit({ retention, at: yield* DateTime.now, limit })
        return hasMore
      })

      const forgetUploads = Effect.gen(function* () {
        const { hasMore } = yield* store.forgetUploads({ at: yield* DateTime.now, limit, finalizeMs })
        return hasMore
      })

      /** Also what a turn has left behind that ended half-way, here or at another process. */
      const removeLeftOvers = Effect.fnUntraced(function* ({ remove }: ArtifactStorage["Service"]) {
        const removed = yield* Effect.filter(yield* store.leftOvers(limit), ({ storageKey }) =>
          remove(storageKey).pipe(
            Effect.as(true),
            // One that cannot be removed does not hold up the others.
            Effect.catchDefect((defect) => Effect.as(Effect.logError(removalFailed, defect), false))
          )
        )
        yield* store.dropLeftOvers(removed)
        return removed.length === limit
      })

      yield* turning("Deliveries could not be forgotten", forgetDeliveries)
      yield* turning("Entries of the audit log could not be forgotten", forgetAudit)
      yield* turning("Artifacts could not be forgotten", forgetUploads)
      if (Option.isSome(storage)) {
        yield* turning(removalFailed, removeLeftOvers(storage.value))
      }
    })
  )

/** Forgets likewise who was signed in to the Integrations page, and by which links. */
export const layerConsole: Layer.Layer<never, never, ConsoleStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ConsoleStore
    const forget = Effect.gen(function* () {
      const before = DateTime.subtractDuration(yield* DateTime.now, keptFor)
      const { hasMore } = yield* store.forget({ before, limit })
      return hasMore
    })
    yield* turning("Sessions of the Integrations page could not be forgotten", forget)
  })
)

/** Takes turns, each of which answers whether there is more to do. */
const turning = (failure: string, turn: Effect.Effect<boolean>) =>
  turn.pipe(
    // A failed turn is an operator's problem, never the end of the loop.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.as(Effect.logError(failure, cause), false)
    ),
    Effect.flatMap((hasMore) => Effect.sleep(hasMore ? pace : rest)),
    Effect.forever,
    Effect.forkScoped
  )
