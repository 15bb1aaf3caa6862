/** Hands work to a poll while it waits, as a claim would have found it. */
import * as Effect from "effect/Effect"
import type { TaskVersionId } from "../../shared/Ids.ts"
import type { Change } from "../Run.ts"
import type { ClaimedRun } from "../RunStore.ts"
import { TaskStore } from "../../catalog/TaskStore.ts"
import { BoundedMap } from "../../engine/BoundedMap.ts"
import { makeAnnounce } from "../../signals/ChangeSignals.ts"
import type { KnownSession } from "../sessions/KnownSession.ts"
import { KnownWork } from "./KnownWork.ts"
import { WorkHatch } from "./WorkHatch.ts"
import { WorkInlets } from "./WorkInlets.ts"
import { RunnerTimings } from "../../Settings.ts"

/** Task versions that one process caches; they never change. */
const versionsMax = 1_000

interface Waiting {
  readonly known: KnownSession
  readonly claimId: string
  readonly isStarting?: boolean
  /** Called when there is something to take, or to look for. */
  readonly wake: () => void
  /** Called before it may be given something. */
  readonly expect: () => void
}

export const makeWorkHandOver = Effect.gen(function* () {
  const announce = yield* makeAnnounce
  const inlets = yield* WorkInlets
  const tasks = yield* TaskStore
  const timings = yield* RunnerTimings
  const knownWork = yield* KnownWork
  const versions = new BoundedMap<TaskVersionId, Pick<ClaimedRun, "task" | "version">>(versionsMax)

  const claimed = Effect.fnUntraced(function* (change: Change | undefined) {
    if (change === undefined) return []
    const { run } = change
    const { accountId, status, taskVersionId: versionId } = run.execution
    yield* knownWork.note(run.execution)
    if (status !== "queued") yield* announce([change], "runner")
    const found =
      versions.get(versionId) ?? (yield* Effect.orDie(tasks.resolveVersion({ accountId, versionId })))
    versions.set(versionId, found)
    return [{ ...found, run, checkpoint: null }]
  })

  /** Lets a poll be given work until its scope ends, whenever it has opened for it. */
  return Effect.fnUntraced(function* ({ claimId, expect, isStarting, known, wake }: Waiting) {
    const hatch = new WorkHatch(wake)
    const { accountId, agentIds, id: sessionId } = known.session
    yield* inlets.open({
      accountId,
      agentIds,
      sessionId,
      claimId,
      startDeadline: timings.startDeadline,
      lease: isStarting ? timings.lease : null,
      reservePlace: () => {
        const kept = hatch.reservePlace()
        if (kept !== null) expect()
        return kept
      }
    })
    const taken = Effect.flatMap(hatch.close, claimed)
    return {
      open: () => hatch.open(),
      taken: Effect.tap(taken, (claims) => Effect.sync(() => known.hold(claims)))
    }
  })
})
