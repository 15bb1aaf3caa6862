/** Replays of many deliveries: jobs that callers and operators begin, and dispatchers carry out. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { replayBegun, replayCancelled } from "../audit/ActivityEvents.ts"
import { newReplayJob, type ReplayFilter, type ReplayJob } from "./ReplayJob.ts"
import { previewBounds } from "./ReplayPreview.ts"
import { type AccountId, makeIds, ReplayId } from "../shared/Ids.ts"
import { jobLoop } from "../jobs/JobLoop.ts"
import { type PreviewFilter, type ReplayRef, ReplayStore } from "./ReplayStore.ts"
import { Signals } from "../signals/Signals.ts"
import { changeOf } from "../signals/ChangeSignals.ts"
import { audited } from "../audit/Audited.ts"
import { spanned, useCase } from "../engine/UseCase.ts"

/** Deliveries that one transaction looks at. */
export const batchMax = 500

/** Rest after each batch: a process replays at most 5,000 deliveries a second, and its other work goes on. */
const pace = Duration.millis(100)

export class Replays extends Context.Service<Replays>()("@runhook/core/replays/Replays", {
  make: Effect.gen(function* () {
    const signals = yield* Signals
    const store = yield* ReplayStore
    const newId = yield* makeIds

    const previewOf = (accountId: AccountId, filter: PreviewFilter) =>
      store.preview({ accountId, filter, bounds: previewBounds })

    /** Begins to replay what matches and is settled by now. */
    const begin = useCase("Replays.begin")(function* (accountId: AccountId, filter: ReplayFilter) {
      const { isMore, wouldReplay } = yield* previewOf(accountId, filter)
      const subject = {
        id: yield* newId(ReplayId),
        accountId,
        filter,
        expected: isMore ? null : wouldReplay
      }
      const begun = newReplayJob(subject, yield* DateTime.now)
      const job = yield* store.create(begun, yield* audited(replayBegun))
      yield* signals.notify(["jobs", changed(job, { isNew: true })])
      return job
    })

    /** What a job would replay if it began now. */
    const preview = flow(previewOf, spanned("Replays.preview"))

    /**
     * Ends a job after its current batch; what it has already replayed is still sent. A
     * finished one stays as it is.
     */
    const cancel = useCase("Replays.cancel")(function* (ref: ReplayRef) {
      const job = yield* store.cancel(ref, yield* DateTime.now, yield* audited(replayCancelled))
      yield* signals.notify([changed(job)])
      return job
    })

    const get = store.get
    const list = store.list

    return { begin, preview, get, list, cancel }
  })
}) {
  static readonly layer = Layer.effect(Replays, Replays.make)

  static readonly layerLoop = Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* ReplayStore
      yield* jobLoop({
        jobs: store,
        bite: (job, at) =>
          Effect.map(
            store.advance(job, { limit: batchMax, at }),
            (done) =>
              done && (["deliveries", changed(done), changeOf(done.accountId, "delivery", null)] as const)
          ),
        rest: () => pace,
        failure: "Deliveries could not be replayed"
      })
    })
  )
}

const changed = ({ accountId, id, status }: ReplayJob, { isNew = false } = {}) =>
  changeOf(accountId, "replay", { id, state: status, isNew })
