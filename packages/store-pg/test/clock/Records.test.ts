import { assert, describe, it } from "@effect/vitest"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { newArtifact } from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import { finalizedFor } from "@runhook/store-testing/artifacts/UploadPruneSuite"
import { callbackUrl, deliveriesOf, makeExecution, makeTenant, plenty } from "@runhook/store-testing/Fixtures"
import { lease, startDeadline, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { databaseNow, openedAt, pairs, passes, stores } from "./Skewed.ts"

/** A run that is created and finished by one process, and run by another. */
const makeEndedRun = Effect.fnUntraced(function* (one: DateTime.Utc, other: DateTime.Utc) {
  const runs = yield* RunStore
  const tenant = yield* makeTenant()
  const session = yield* openedAt(tenant, other)
  // Its id, and so its creation, is of the clock of its process: that follows the database's.
  yield* makeExecution(tenant, { createdAt: yield* databaseNow, callbackUrl })
  const { claims } = yield* runs.claim({ session, claimId: "claim", limit: 1, startDeadline, at: other })
  const claimed = claims[0]?.run
  if (claimed === undefined) return yield* Effect.die(new Error("Nothing was claimed"))
  const { run } = yield* runs.start({ ...writeTo(claimed, other), lease })
  const finish = runs.finish({
    ...writeTo(run, one),
    outcome: { _tag: "Completed", result: null },
    fingerprint: "same"
  })
  return { claimed, finish, run, tenant }
})

const uniqueName = Effect.map(databaseNow, (now) => `${now.epochMilliseconds}.pdf`)

const isRising = (moments: ReadonlyArray<DateTime.Utc | null>): boolean =>
  moments.every((moment, place) => {
    const before = moments[place - 1]
    return moment !== null && (!before || DateTime.isGreaterThanOrEqualTo(moment, before))
  })

describe("What processes whose clocks differ record", () => {
  it.layer(stores, { excludeTestServices: true })((it) => {
    it.effect.each(pairs)("is in the order in which it happened: $named", ({ one, other }) =>
      Effect.gen(function* () {
        const before = yield* databaseNow
        const { finish } = yield* makeEndedRun(one, other)
        const { execution } = (yield* finish).run
        const after = yield* databaseNow

        const { createdAt, startedAt, stoppedAt, updatedAt } = execution
        assert.isTrue(isRising([before, createdAt, startedAt, stoppedAt, updatedAt, after]))
        const told = (yield* deliveriesOf(execution)).map((delivery) => delivery.createdAt)
        assert.lengthOf(told, 3)
        assert.isTrue(isRising([before, ...told, after]))
      })
    )

    it.effect.each(pairs)(
      "never goes back, even where a creation carries a time to come: $named",
      ({ one, other }) =>
        Effect.gen(function* () {
          const store = yield* ExecutionStore
          const tenant = yield* makeTenant()
          const createdAt = DateTime.add(yield* databaseNow, { hours: 1 })
          const { accountId, id } = yield* makeExecution(tenant, { createdAt })

          yield* store.stop({ accountId, id, to: "aborted", reason: null, at: one })

          const stopped = yield* store.stop({ accountId, id, to: "aborted", reason: null, at: other })
          assert.isTrue(isRising([stopped.run.execution.createdAt, stopped.run.execution.stoppedAt]))
        })
    )

    it.effect.each(pairs)("takes artifacts for a while after the end: $named", ({ one, other }) =>
      Effect.gen(function* () {
        const artifacts = yield* ArtifactStore
        const { claimed, finish } = yield* makeEndedRun(one, other)
        yield* finish
        const finalizeMs = 300_000
        const writeAt = Effect.fnUntraced(function* (at: DateTime.Utc) {
          const artifact = yield* newArtifact(claimed, { fileName: yield* uniqueName })
          const { accountId, epoch, executionId, id } = artifact
          const ref = { accountId, executionId, id, epoch, finalizeMs, at }
          const registered = yield* Effect.exit(
            artifacts.register({ artifact, finalizeMs, quotaBytes: null, at })
          )
          const ready = yield* Effect.exit(artifacts.markReady(ref))
          return [registered._tag, ready._tag]
        })

        const early = [yield* writeAt(one), yield* writeAt(other)]
        yield* passes("5 minutes")
        const late = [yield* writeAt(one), yield* writeAt(other)]

        assert.deepStrictEqual(early, [
          ["Success", "Success"],
          ["Success", "Success"]
        ])
        assert.deepStrictEqual(late, [
          ["Failure", "Failure"],
          ["Failure", "Failure"]
        ])
      })
    )

    it.effect.each(pairs)(
      "awaits the bytes of artifacts, and no longer than it says: $named",
      ({ one, other }) =>
        Effect.gen(function* () {
          const artifacts = yield* ArtifactStore
          const sweeps = yield* SweepStore
          const { claimed, finish } = yield* makeEndedRun(one, other)
          const artifact = yield* newArtifact(claimed)
          const finalizeMs = 300_000
          yield* artifacts.register({ artifact, finalizeMs, quotaBytes: null, at: one })
          yield* finish
          const retention = finalizedFor(finalizeMs)
          const prune = (at: DateTime.Utc) => sweeps.prune("uploads", { at, limit: plenty, retention })
          const isKnown = Effect.map(Effect.exit(artifacts.find(artifact)), ({ _tag }) => _tag)

          yield* passes("50 minutes")
          yield* Effect.forEach([one, other], prune)
          const early = yield* isKnown
          yield* passes("10 minutes")
          yield* prune(other)

          assert.deepStrictEqual([early, yield* isKnown], ["Success", "Failure"])
        })
    )
  })
})
