/** Cancels of many executions: jobs that callers and operators begin, and any process carries out. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CurrentActor, isAdministrator } from "../audit/Actor.ts"
import { type CancelRequest, countedMax, newCancelJob } from "./CancelJob.ts"
import { instantOf, JobId, makeIds } from "../shared/Ids.ts"
import { jobsAtOnceMax } from "../jobs/Job.ts"
import { jobLoop } from "../jobs/JobLoop.ts"
import { CancelStore, type JobRef } from "./CancelStore.ts"
import { Signals } from "../signals/Signals.ts"
import { topicsOf } from "../signals/ChangeSignals.ts"
import * as Loop from "../engine/Loop.ts"
import { ExecutionLimits } from "../Settings.ts"
import { useCase } from "../engine/UseCase.ts"

/** Executions that one transaction cancels. */
export const biteMax = 50

/** Executions that it looks at for them. */
const seenMax = 1_000

export class Cancels extends Context.Service<Cancels>()("@runhook/core/cancels/Cancels", {
  make: Effect.gen(function* () {
    const { idempotencyLifetime } = yield* ExecutionLimits
    const signals = yield* Signals
    const store = yield* CancelStore
    const newId = yield* makeIds

    const counted = Effect.fnUntraced(function* (asked: Omit<CancelRequest, "actor">) {
      const id = yield* newId(JobId)
      return { id, matched: yield* store.count({ job: { ...asked, id }, seenMax: countedMax }) }
    })

    /** How many a job would cancel if it began now; null if there are too many to count. */
    const preview = useCase("Cancels.preview")(function* (asked: Omit<CancelRequest, "actor">) {
      return (yield* counted(asked)).matched
    })

    /** Begins to cancel what matches and is there by now, or finds the job of an equal request under the same key. */
    const begin = useCase("Cancels.begin")(function* (asked: Omit<CancelRequest, "actor">) {
      const by = yield* CurrentActor
      const actor = isAdministrator(by) ? by : null
      const begun = newCancelJob({ ...asked, ...(yield* counted(asked)), actor })
      const stored = yield* store.create(begun, {
        limit: jobsAtOnceMax,
        keySince: DateTime.subtractDuration(instantOf(begun.id), idempotencyLifetime)
      })
      if (!stored.isDuplicate) yield* signals.notify(["jobs"])
      return stored
    })

    /** Ends a job after its present bite; what it has cancelled stays cancelled. A finished one stays as it is. */
    const cancel = useCase("Cancels.cancel")(function* (ref: JobRef) {
      return yield* store.cancel(ref, yield* DateTime.now)
    })

    const get = store.get

    return { begin, preview, get, cancel }
  })
}) {
  static readonly layer = Layer.effect(Cancels, Cancels.make)

  static readonly layerLoop = Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* CancelStore
      yield* jobLoop({
        jobs: store,
        bite: (job, at) =>
          Effect.map(
            store.advance(job, { limit: biteMax, seenMax, at }),
            (done) => done && done.changes.flatMap((change) => topicsOf(change))
          ),
        rest: Loop.restAfter,
        failure: "Executions could not be cancelled"
      })
    })
  )
}
