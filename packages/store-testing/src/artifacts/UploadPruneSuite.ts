/**
 * Which artifacts every SweepStore forgets. It sees all accounts, so no other
 * suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { type Artifact, uploadAwaited } from "@runhook/core/artifacts/Artifact"
import { type Retention, retentionDefault } from "@runhook/core/sweeps/Retention"
import type { Run } from "@runhook/core/runs/Run"
import { AccountId, ArtifactId, newId } from "@runhook/core/shared/Ids"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import { makeAccount } from "../catalog/CatalogFixtures.ts"
import { makeTenant, plenty, second, type Stores, type Tenant } from "../Fixtures.ts"
import { makeStartedRun, writeTo } from "../runs/RunFixtures.ts"
import { finalizeMs, newArtifact } from "./ArtifactStoreSuite.ts"
import { suiteOf } from "../SuiteOf.ts"

/** When an artifact that was registered, or seen, at the second is no longer awaited. */
const awaitedUntil = (seconds: number) => DateTime.addDuration(second(seconds), uploadAwaited)

const justBefore = (instant: DateTime.Utc) => DateTime.subtract(instant, { milliseconds: 1 })

const register = Effect.fnUntraced(function* (artifact: Artifact, at: DateTime.Utc = second(3)) {
  const store = yield* ArtifactStore
  return yield* store.register({ artifact, finalizeMs, quotaBytes: null, at })
})

const markReady = Effect.fnUntraced(function* (artifact: Artifact, at: DateTime.Utc) {
  const store = yield* ArtifactStore
  return yield* store.markReady({ ...artifact, finalizeMs, at })
})

/** Bytes that count for the account of a run that goes on. */
const usedBy = Effect.fnUntraced(function* (run: Run) {
  const store = yield* ArtifactStore
  const one = yield* newArtifact(run, { fileName: "one-more.pdf", sizeBytes: 1 })
  const error = yield* Effect.flip(
    store.register({ artifact: one, finalizeMs, quotaBytes: 0, at: second(3) })
  )
  return error._tag === "ArtifactQuotaReached" ? error.used : yield* Effect.die(error)
})

/** Ends at second 5. */
const end = Effect.fnUntraced(function* (run: Run) {
  const runs = yield* RunStore
  const outcome = { _tag: "Completed", result: null } as const
  yield* runs.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })
})

/** A run that has ended, another of its account that goes on, and an artifact of 100 bytes that the first registered. */
const makeUnfinishedUpload = Effect.fnUntraced(function* (tenant: Tenant) {
  const { run: other } = yield* makeStartedRun(tenant)
  const { run } = yield* makeStartedRun(tenant)
  const artifact = yield* register(yield* newArtifact(run, { sizeBytes: 100 }))
  return { artifact, run, other }
})

/** As many as sweeps and runners may meet over. */
const tenUnfinished = Effect.gen(function* () {
  const { artifact, other, run } = yield* makeUnfinishedUpload(yield* makeTenant())
  const others = yield* Effect.forEach([2, 3, 4, 5, 6, 7, 8, 9, 10], (place) =>
    Effect.flatMap(newArtifact(run, { fileName: `${place}.pdf`, sizeBytes: 100 }), (one) => register(one))
  )
  yield* end(run)
  return { artifacts: [artifact, ...others], other, run }
})

const atOnce = { concurrency: "unbounded" } as const

const isThere = Effect.fnUntraced(function* (artifact: Artifact) {
  const store = yield* ArtifactStore
  return yield* store.find(artifact).pipe(
    Effect.as(true),
    Effect.catchTag("ArtifactNotFound", () => Effect.succeed(false))
  )
})

/** With so many milliseconds for artifacts after an end. */
export const finalizedFor = (millis: number): Retention => ({
  ...retentionDefault,
  finalize: Duration.millis(millis)
})

const sweep = (at: DateTime.Utc, limit = plenty, millis = finalizeMs) =>
  SweepStore.use((sweeps) => sweeps.prune("uploads", { at, limit, retention: finalizedFor(millis) }))

const leftOverOf = ({ id }: Artifact) =>
  SweepStore.use((sweeps) => sweeps.leftOvers(plenty)).pipe(
    Effect.map((leftOvers) => leftOvers.filter((each) => each.id === id))
  )

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("SweepStore prunes uploads", { layer, name }, (it) => {
    it.test("forgets an artifact that is not ready an hour after, and gives its bytes back", function* () {
      const { artifact, other, run } = yield* makeUnfinishedUpload(yield* makeTenant())
      yield* register(yield* newArtifact(other, { sizeBytes: 7 }))
      yield* end(run)
      yield* sweep(justBefore(awaitedUntil(3)))
      const before = [yield* isThere(artifact), yield* usedBy(other)]

      const { pruned } = yield* sweep(awaitedUntil(3))

      assert.deepStrictEqual(before, [true, 107])
      assert.isAtLeast(pruned, 1)
      assert.deepStrictEqual([yield* isThere(artifact), yield* usedBy(other)], [false, 7])
      const error = yield* Effect.flip(markReady(artifact, second(6)))
      assert.strictEqual(error._tag, "ArtifactNotFound")
    })

    it.test("names the file that may be left over until it is dropped", function* () {
      const sweeps = yield* SweepStore
      const { artifact, run } = yield* makeUnfinishedUpload(yield* makeTenant())
      yield* end(run)
      const before = yield* leftOverOf(artifact)
      yield* sweep(awaitedUntil(3))

      const leftOvers = yield* leftOverOf(artifact)
      const bounded = yield* sweeps.leftOvers(0)
      yield* sweeps.dropLeftOvers(leftOvers)
      yield* sweeps.dropLeftOvers(leftOvers)

      const { accountId, id, storageKey } = artifact
      assert.deepStrictEqual([before, bounded], [[], []])
      assert.deepStrictEqual(leftOvers, [{ accountId, id, storageKey }])
      assert.deepStrictEqual(yield* leftOverOf(artifact), [])
    })

    it.test("keeps what is ready, however old", function* () {
      const { artifact, other, run } = yield* makeUnfinishedUpload(yield* makeTenant())
      const ready = yield* markReady(artifact, second(4))
      yield* register(artifact, second(4))
      yield* end(run)

      yield* sweep(DateTime.add(second(0), { days: 400 }))

      const store = yield* ArtifactStore
      assert.deepStrictEqual(yield* store.find(artifact), ready)
      assert.deepStrictEqual([yield* usedBy(other), yield* leftOverOf(artifact)], [100, []])
    })

    it.test("keeps artifacts that may still be uploaded, and looks at them again in an hour", function* () {
      const { artifact, other, run } = yield* makeUnfinishedUpload(yield* makeTenant())
      yield* sweep(second(7_200))
      const running = yield* isThere(artifact)
      yield* end(run)
      yield* sweep(justBefore(awaitedUntil(7_200)))
      const seenLately = yield* isThere(artifact)

      yield* sweep(awaitedUntil(7_200))

      assert.deepStrictEqual([running, seenLately], [true, true])
      assert.deepStrictEqual([yield* isThere(artifact), yield* usedBy(other)], [false, 0])
    })

    it.test("keeps what an attempt that has ended may still bring", function* () {
      const { artifact, run } = yield* makeUnfinishedUpload(yield* makeTenant())
      yield* end(run)
      const at = awaitedUntil(3)
      // As long as it takes from second 5.
      const lasting = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(second(5))

      yield* sweep(at, plenty, lasting)
      const kept = yield* isThere(artifact)
      yield* sweep(awaitedUntil(3_603), plenty, lasting)

      assert.deepStrictEqual([kept, yield* isThere(artifact)], [true, false])
    })

    it.test("forgets what an attempt registered that another followed", function* () {
      const runs = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 2 })
      const artifact = yield* register(yield* newArtifact(run))
      const outcome = { _tag: "Failed", message: "again", isRetryable: true } as const
      yield* runs.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })

      yield* sweep(awaitedUntil(3))

      assert.isFalse(yield* isThere(artifact))
    })

    it.test("gives an artifact a new deadline when an equal request registers it", function* () {
      const { artifact, run } = yield* makeUnfinishedUpload(yield* makeTenant())
      yield* register(yield* newArtifact(run, { sizeBytes: 100 }), second(1_000))
      yield* end(run)

      yield* sweep(justBefore(awaitedUntil(1_000)))
      const kept = yield* isThere(artifact)
      yield* sweep(awaitedUntil(1_000))

      assert.deepStrictEqual([kept, yield* isThere(artifact)], [true, false])
    })

    it.test("looks at as many as the limit in one round", function* () {
      const { other, run } = yield* makeUnfinishedUpload(yield* makeTenant())
      yield* register(yield* newArtifact(run, { fileName: "second.pdf", sizeBytes: 100 }))
      yield* end(run)
      yield* sweep(justBefore(awaitedUntil(3)))

      const one = yield* sweep(awaitedUntil(3), 1)
      const rest = yield* sweep(awaitedUntil(3))

      assert.deepStrictEqual(one, { pruned: 1, hasMore: true })
      assert.isFalse(rest.hasMore)
      assert.strictEqual(yield* usedBy(other), 0)
    })

    it.test("gives the bytes back once when ten sweep at once", function* () {
      const { other, run } = yield* makeUnfinishedUpload(yield* makeTenant())
      yield* register(yield* newArtifact(other, { sizeBytes: 7 }))
      yield* end(run)

      yield* Effect.all(
        Array.from({ length: 10 }, () => sweep(awaitedUntil(3))),
        atOnce
      )

      assert.strictEqual(yield* usedBy(other), 7)
    })

    it.effect(
      "forgets or keeps, but not both, what is made ready at once by a process with another clock",
      () =>
        Effect.gen(function* () {
          const { artifacts, other } = yield* tenUnfinished

          const [exits] = yield* Effect.all(
            [
              Effect.forEach(artifacts, (artifact) => Effect.exit(markReady(artifact, second(6))), atOnce),
              Effect.replicateEffect(sweep(awaitedUntil(3)), 10).pipe(Effect.asVoid)
            ],
            atOnce
          )

          const there = yield* Effect.forEach(artifacts, isThere)
          assert.deepStrictEqual(there, exits.map(Exit.isSuccess))
          assert.strictEqual(yield* usedBy(other), 100 * there.filter(Boolean).length)
        })
    )

    it.test("counts once what is registered again at once by a process with another clock", function* () {
      const { artifacts, other, run } = yield* tenUnfinished
      const registerAnew = ({ fileName }: Artifact) =>
        Effect.flatMap(newArtifact(run, { fileName, sizeBytes: 100 }), (one) => register(one, second(6)))

      const [again] = yield* Effect.all(
        [
          Effect.forEach(artifacts, registerAnew, atOnce),
          Effect.replicateEffect(sweep(awaitedUntil(3)), 10).pipe(Effect.asVoid)
        ],
        atOnce
      )

      assert.deepStrictEqual(
        yield* Effect.forEach(again, isThere),
        artifacts.map(() => true)
      )
      assert.strictEqual(yield* usedBy(other), 100 * artifacts.length)
    })

    it.test("knows the files of artifacts and left-over ones, and no stranger's", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      const { artifact: ready, run } = yield* makeUnfinishedUpload(tenant)
      yield* markReady(ready, second(4))
      const awaited = yield* register(yield* newArtifact(run, { fileName: "second.pdf" }))
      const { artifact: leftOver, run: ended } = yield* makeUnfinishedUpload(yield* makeTenant())
      yield* end(ended)
      yield* sweep(awaitedUntil(1_000_000))
      const removed = yield* makeAccount()
      yield* AccountStore.use((store) => store.remove({ id: removed.id, at: second(1) }))
      const unknown = yield* newArtifact(run)
      const ofRemoved = { ...unknown, accountId: removed.id }
      const ofStranger = { ...unknown, accountId: yield* newId(AccountId), id: yield* newId(ArtifactId) }
      const misplaced = { ...ready, executionId: unknown.executionId, id: yield* newId(ArtifactId) }

      const strays = yield* sweeps.strays([
        ready,
        awaited,
        leftOver,
        unknown,
        ofStranger,
        misplaced,
        { ...ofRemoved, id: yield* newId(ArtifactId) }
      ])

      assert.deepStrictEqual(
        strays.map(({ accountId }) => accountId),
        [unknown.accountId, misplaced.accountId, removed.id]
      )
    })
  })
