/** What every ArtifactStore does. */
import { assert } from "@effect/vitest"
import { type Artifact, artifactsPerExecutionMax, storageKeyOf } from "@runhook/core/artifacts/Artifact"
import { ArtifactId } from "@runhook/core/shared/Ids"
import type { Run } from "@runhook/core/runs/Run"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { idAt, makeTenant, second, type Stores } from "../Fixtures.ts"
import { claimUpTo, makeAskingRun, makeStartedRun, writeTo } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const finalizeMs = 10_000

/** An artifact of the run's attempt that is not registered yet. */
export const newArtifact = Effect.fnUntraced(function* ({ execution }: Run, fields: Partial<Artifact> = {}) {
  const id = yield* idAt(ArtifactId, second(3))
  const { accountId, epoch, id: executionId } = execution
  const artifact: Artifact = {
    id,
    accountId,
    executionId,
    epoch,
    kind: "download",
    fileName: "invoice.pdf",
    contentType: "application/pdf",
    sizeBytes: 12_345,
    sha256: "0".repeat(64),
    storageKey: storageKeyOf({ accountId, executionId, id }),
    isReady: false,
    platformId: null,
    handler: null,
    startedOffsetMs: null,
    createdAt: second(3),
    ...fields
  }
  return artifact
})

/** A started run and an artifact that it registered at second 3. */
const makeRegisteredArtifact = Effect.fnUntraced(function* (fields: Partial<Artifact> = {}) {
  const store = yield* ArtifactStore
  const { run, session } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 2 })
  const artifact = yield* newArtifact(run, fields)
  yield* Effect.orDie(store.register({ artifact, finalizeMs, quotaBytes: null, at: second(3) }))
  const { accountId, epoch, executionId, id } = artifact
  return {
    run,
    session,
    artifact,
    ref: { accountId, executionId, id },
    mark: { accountId, executionId, id, epoch, finalizeMs }
  }
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ArtifactStore", { layer, name }, (it) => {
    it.test("shows an artifact to callers only when its bytes are there", function* () {
      const store = yield* ArtifactStore
      const history = yield* HistoryStore
      const { artifact, mark, ref } = yield* makeRegisteredArtifact({
        kind: "video",
        handler: "tab",
        startedOffsetMs: Number.MAX_SAFE_INTEGER
      })
      const known = { accountId: ref.accountId, id: ref.executionId, after: 100 }
      const changed = Effect.zip(
        history.changedSince([{ ...known, artifacts: 0 }]),
        history.changedSince([known])
      )
      const before = yield* store.listReady(ref.accountId, ref.executionId)
      const changedBefore = yield* changed

      const ready = yield* store.markReady({ ...mark, at: second(4) })

      assert.deepStrictEqual(before, [])
      assert.deepStrictEqual(
        [changedBefore, yield* changed],
        [
          [[], []],
          [[known.id], []]
        ]
      )
      assert.deepStrictEqual(ready, { ...artifact, isReady: true })
      assert.deepStrictEqual(yield* store.find(ref), ready)
      assert.deepStrictEqual(yield* store.listReady(ref.accountId, ref.executionId), [ready])
    })

    it.test("finds an artifact for its runner before it is ready", function* () {
      const store = yield* ArtifactStore
      const { artifact, ref } = yield* makeRegisteredArtifact()

      const found = yield* store.find(ref)

      assert.deepStrictEqual(found, artifact)
    })

    it.test("registers equal requests once, also ten at once", function* () {
      const store = yield* ArtifactStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const artifacts = yield* Effect.all(Array.from({ length: 10 }, () => newArtifact(run)))

      const registered = yield* Effect.forEach(
        artifacts,
        (artifact) => store.register({ artifact, finalizeMs, quotaBytes: null, at: second(3) }),
        { concurrency: "unbounded" }
      )

      assert.strictEqual(new Set(registered.map(({ id }) => id)).size, 1)
    })

    it.test("registers another artifact for any other request, and lists all oldest first", function* () {
      const store = yield* ArtifactStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const { accountId, id } = run.execution
      const artifacts = yield* Effect.all([
        newArtifact(run),
        newArtifact(run, { kind: "print" }),
        newArtifact(run, { fileName: "other.pdf" }),
        newArtifact(run, { sha256: "1".repeat(64) })
      ])
      yield* Effect.forEach(artifacts.toReversed(), (artifact) =>
        store.register({
          artifact: { ...artifact, isReady: true },
          finalizeMs,
          quotaBytes: null,
          at: second(3)
        })
      )

      const listed = yield* store.listReady(accountId, id)

      const ids = artifacts.map((artifact) => artifact.id)
      assert.deepStrictEqual(
        listed.map((artifact) => artifact.id),
        ids.toSorted()
      )
    })

    it.test("marks an artifact ready again and changes nothing, even long after", function* () {
      const store = yield* ArtifactStore
      const executions = yield* ExecutionStore
      const { mark, ref } = yield* makeRegisteredArtifact()
      const ready = yield* store.markReady({ ...mark, at: second(4) })
      const { accountId, executionId } = ref
      yield* executions.stop({ accountId, id: executionId, to: "aborted", reason: null, at: second(5) })

      const again = yield* store.markReady({ ...mark, at: second(500) })

      assert.deepStrictEqual(again, ready)
    })

    it.test("accepts artifacts for a while after the attempt has ended, and then none", function* () {
      const store = yield* ArtifactStore
      const runs = yield* RunStore
      const { mark, run } = yield* makeRegisteredArtifact()
      const outcome = { _tag: "Completed", result: null } as const
      yield* runs.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })
      const inTime = yield* newArtifact(run, { fileName: "in-time.pdf" })
      const late = yield* newArtifact(run, { fileName: "late.pdf" })

      const registered = yield* store.register({
        artifact: inTime,
        finalizeMs,
        quotaBytes: null,
        at: second(15)
      })
      const errors = yield* Effect.all([
        Effect.flip(store.register({ artifact: late, finalizeMs, quotaBytes: null, at: second(15.001) })),
        Effect.flip(store.markReady({ ...mark, at: second(15.001) }))
      ])

      assert.deepStrictEqual(registered, inTime)
      for (const error of errors) assert.deepInclude(error, { _tag: "LeaseLost", status: "completed" })
    })

    it.test("takes artifacts of a stopped attempt under its own epoch", function* () {
      const store = yield* ArtifactStore
      const executions = yield* ExecutionStore
      const { mark, ref } = yield* makeRegisteredArtifact()
      const { accountId, executionId } = ref
      yield* executions.stop({ accountId, id: executionId, to: "aborted", reason: null, at: second(5) })

      const ready = yield* store.markReady({ ...mark, at: second(6) })

      assert.isTrue(ready.isReady)
    })

    it.test("takes no artifacts of an attempt that another follows", function* () {
      const store = yield* ArtifactStore
      const runs = yield* RunStore
      const { mark, run } = yield* makeRegisteredArtifact()
      const outcome = { _tag: "Failed", message: "again", isRetryable: true } as const
      yield* runs.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })
      const artifact = yield* newArtifact(run, { fileName: "late.pdf" })

      const errors = yield* Effect.all([
        Effect.flip(store.register({ artifact, finalizeMs, quotaBytes: null, at: second(6) })),
        Effect.flip(store.markReady({ ...mark, at: second(6) }))
      ])

      for (const error of errors) assert.deepInclude(error, { _tag: "LeaseLost", status: "queued" })
    })

    it.test("takes no artifact of an earlier attempt under the epoch of a later one", function* () {
      const store = yield* ArtifactStore
      const runs = yield* RunStore
      const { mark, run, session } = yield* makeRegisteredArtifact()
      const outcome = { _tag: "Failed", message: "again", isRetryable: true } as const
      yield* runs.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(6) })

      const errors = yield* Effect.forEach(claims, ({ run: { execution } }) =>
        Effect.flip(store.markReady({ ...mark, epoch: execution.epoch, at: second(7) }))
      )

      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["LeaseLost"]
      )
    })

    it.test("takes artifacts of an attempt that let go to wait, until it is queued again", function* () {
      const store = yield* ArtifactStore
      const executions = yield* ExecutionStore
      const { input, run } = yield* makeAskingRun(yield* makeTenant(), { question: { mode: "release" } })
      const { accountId, id } = run.execution
      const artifact = yield* newArtifact(run)
      const late = yield* newArtifact(run, { fileName: "late.pdf" })

      const registered = yield* store.register({ artifact, finalizeMs, quotaBytes: null, at: second(4) })
      yield* executions.answer({ accountId, id, inputId: input.id, value: "42", at: second(5) })
      const error = yield* Effect.flip(
        store.register({ artifact: late, finalizeMs, quotaBytes: null, at: second(6) })
      )

      assert.deepStrictEqual(registered, artifact)
      assert.deepInclude(error, { _tag: "LeaseLost", status: "queued" })
    })

    it.test("registers artifacts of an execution up to a limit", function* () {
      const store = yield* ArtifactStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const register = Effect.fnUntraced(function* (fileName: string) {
        const artifact = yield* newArtifact(run, { fileName })
        return yield* store.register({ artifact, finalizeMs, quotaBytes: null, at: second(3) })
      })
      const names = Array.from({ length: artifactsPerExecutionMax }, (_, place) => `${place}.pdf`)
      yield* Effect.forEach(names, register, { concurrency: 20 })

      const error = yield* Effect.flip(register("one-more.pdf"))
      const again = yield* register("7.pdf")

      assert.deepInclude(error, { _tag: "ArtifactLimitReached", limit: artifactsPerExecutionMax })
      assert.strictEqual(again.fileName, "7.pdf")
    })

    it.test("hides artifacts from other accounts and under other executions", function* () {
      const store = yield* ArtifactStore
      const { artifact, mark, ref } = yield* makeRegisteredArtifact()
      const { ref: other } = yield* makeRegisteredArtifact()
      const { accountId } = other
      const at = second(4)

      const foreign = yield* Effect.all([
        Effect.flip(
          store.register({ artifact: { ...artifact, accountId }, finalizeMs, quotaBytes: null, at })
        ),
        Effect.flip(store.find({ ...ref, accountId })),
        Effect.flip(store.markReady({ ...mark, accountId, at }))
      ])
      assert.deepStrictEqual(yield* store.listReady(accountId, ref.executionId), [])
      const mismatched = yield* Effect.all([
        Effect.flip(store.find({ ...other, id: ref.id })),
        Effect.flip(store.markReady({ ...mark, ...other, id: ref.id, at }))
      ])

      for (const error of foreign) assert.strictEqual(error._tag, "ExecutionNotFound")
      for (const error of mismatched) assert.strictEqual(error._tag, "ArtifactNotFound")
    })
  })
