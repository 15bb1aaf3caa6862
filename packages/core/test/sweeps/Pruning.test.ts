import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { theService } from "@runhook/core/audit/Actor"
import { auditBy } from "@runhook/core/audit/AuditEntry"
import { accountCreated } from "@runhook/core/audit/KeyEvents"
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import { AccountId, newId } from "@runhook/core/shared/Ids"
import { retentionDefault } from "@runhook/core/sweeps/Retention"
import * as Pruning from "@runhook/core/sweeps/Pruning"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { AuditStore } from "@runhook/core/audit/AuditStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import { Executions } from "@runhook/core/executions/Executions"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import { test } from "@runhook/test-support/engine/Test"
import * as Context from "effect/Context"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { makeAbandonedArtifact, makeRun, newCapture, upload, watchedStorage } from "../artifacts/Captures.ts"

/** A store whose walks end after so many turns, the first of which fails; it counts them. */
const makeStore = () =>
  Effect.gen(function* () {
    const store = yield* SweepStore
    const turns: Array<number> = []
    const prune: SweepStore["Service"]["prune"] = (of, round) =>
      Effect.suspend(() => {
        if (of !== "deliveries") return store.prune(of, round)
        turns.push(round.limit)
        return turns.length === 1
          ? Effect.die(new Error("the database is away"))
          : Effect.as(store.prune(of, round), { pruned: 0, hasMore: turns.length % 3 !== 0 })
      })
    return { turns, store: SweepStore.of({ ...store, prune }) }
  }).pipe(Effect.provide(Layer.provide(MemoryStore.layer, layerWebCrypto)))

const leftOvers = SweepStore.use((store) => store.leftOvers(10))

/** Whether the storage has nothing of the artifact's file. */
const isGone = (artifact: Artifact) =>
  ArtifactStorage.use((storage) => storage.verify({ ...artifact, key: artifact.storageKey })).pipe(
    Effect.as(false),
    Effect.catch(({ reason }) => Effect.succeed(reason === "not_uploaded"))
  )

describe("Pruning", () => {
  it.effect("walks on while there is more, then rests for an hour, and so it does when the store fails", () =>
    Effect.gen(function* () {
      const { store, turns } = yield* makeStore()
      yield* Layer.build(Layer.provide(Pruning.layerLoop(retentionDefault), Layer.succeed(SweepStore, store)))
      const countAfter = (time: Duration.Input) => Effect.map(TestClock.adjust(time), () => turns.length)

      const counts = [
        yield* countAfter("59 minutes"),
        yield* countAfter("2 minutes"),
        yield* countAfter("58 minutes"),
        yield* countAfter("2 minutes")
      ]

      assert.deepStrictEqual(counts, [1, 3, 3, 6])
      assert.deepStrictEqual(new Set(turns), new Set([1_000]))
    })
  )

  test("removes executions when their time is over, and then their files", function* () {
    const { execution, held } = yield* makeRun()
    const artifacts = yield* Artifacts
    const { artifact, upload: granted } = yield* artifacts.register({ ...held, capture: newCapture() })
    yield* upload(granted.url)
    yield* artifacts.complete({ ...held, artifactId: artifact.id })
    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })
    const { layer, nextRemoved } = yield* watchedStorage(0)
    const loop = Pruning.layerLoop({ ...retentionDefault, executions: Duration.days(7) })
    yield* Layer.build(Layer.fresh(loop).pipe(Layer.provide(layer)))
    const found = ExecutionStore.use((store) => store.get(execution.accountId, execution.id))
    yield* TestClock.adjust("6 days")
    const before = [yield* isGone(artifact), (yield* found).status]

    yield* TestClock.adjust("26 hours")
    const removed = yield* nextRemoved

    assert.deepStrictEqual(before, [false, "aborted"])
    assert.strictEqual((yield* Effect.flip(found))._tag, "ExecutionNotFound")
    assert.strictEqual(removed, artifact.storageKey)
    assert.isTrue(yield* isGone(artifact))
  })

  test("removes files that belong to nothing a day after they came, and no others", function* () {
    const artifacts = yield* Artifacts
    const sweeps = yield* SweepStore
    const [gone, going] = [yield* makeRun(), yield* makeRun()]
    const uploaded = yield* Effect.forEach([gone, going], ({ held }) =>
      Effect.gen(function* () {
        const registered = yield* artifacts.register({ ...held, capture: newCapture() })
        yield* upload(registered.upload.url)
        return registered.artifact
      })
    )
    yield* (yield* Executions).stop({ ...gone.execution, to: "aborted", reason: null })
    yield* ExecutionStore.use((store) => store.remove(gone.execution))
    // As when the file came after its name was dropped.
    yield* sweeps.dropLeftOvers(yield* leftOvers)
    yield* Layer.build(Layer.fresh(Pruning.layerLoop(retentionDefault)))
    yield* TestClock.adjust("23 hours")
    const before = yield* Effect.forEach(uploaded, isGone)

    // A walk waits for the disk, and the next one for a day after it, whenever that was.
    yield* Effect.forEach(uploaded.slice(0, 1), isGone).pipe(
      Effect.tap(() => Effect.promise(() => setImmediate())),
      Effect.tap(() => TestClock.adjust("1 minute")),
      Effect.repeat({ until: ([isFirstGone]) => isFirstGone === true, times: 3_000 })
    )

    assert.deepStrictEqual(before, [false, false])
    assert.deepStrictEqual(yield* Effect.forEach(uploaded, isGone), [true, false])
  })

  test("forgets what the audit log has told for long enough, within an hour", function* () {
    const id = yield* newId(AccountId)
    yield* AccountStore.use((store) =>
      store.create(
        {
          id,
          name: "Acme",
          rateLimit: null,
          maxLive: null,
          retentionDays: null,
          createdAt: DateTime.makeUnsafe(0)
        },
        auditBy(theService, accountCreated)
      )
    )
    const any = { kind: null, actor: null, subjectId: null, text: null, from: null, to: null }
    const told = AuditStore.use((store) => store.list(id, any, { after: null, limit: 10 }))
    yield* Layer.build(Layer.fresh(Pruning.layerLoop({ ...retentionDefault, audit: Duration.days(2) })))

    yield* TestClock.adjust("47 hours")
    const before = yield* told
    yield* TestClock.adjust("2 hours")

    assert.lengthOf(before.items, 1)
    assert.deepStrictEqual((yield* told).items, [])
  })

  test("leaves a file that could not be removed to the next turn, removes the others, and counts none of them", function* () {
    const [artifact, other] = [yield* makeAbandonedArtifact(), yield* makeAbandonedArtifact()]
    const { layer, nextRemoved } = yield* watchedStorage(1)
    yield* Layer.build(Layer.fresh(Pruning.layerLoop(retentionDefault)).pipe(Layer.provide(layer)))

    yield* TestClock.adjust("119 minutes")
    const error = yield* Effect.flip(ArtifactStore.use((store) => store.find(artifact)))
    const first = yield* nextRemoved
    const left = yield* leftOvers
    yield* TestClock.adjust("121 minutes")
    const removed = yield* nextRemoved

    assert.strictEqual(error._tag, "ArtifactNotFound")
    assert.deepStrictEqual([first, removed], [other.storageKey, artifact.storageKey])
    assert.deepStrictEqual(
      left.map(({ id }) => id),
      [artifact.id]
    )
    assert.isTrue(yield* isGone(artifact))
    assert.deepStrictEqual(yield* leftOvers, [])
  })

  test("leaves files to processes that have them, where there is no storage", function* () {
    const artifact = yield* makeAbandonedArtifact()
    const { layer, nextRemoved } = yield* watchedStorage(0)
    const loop = Layer.fresh(Pruning.layerLoop(retentionDefault))
    yield* loop.pipe(
      Layer.build,
      Effect.updateContext((context: Context.Context<Scope.Scope | SweepStore>) =>
        Context.omit(ArtifactStorage)(context)
      )
    )
    yield* TestClock.adjust("3 hours")
    const [leftOver] = yield* leftOvers

    yield* Layer.build(Layer.provide(loop, layer))
    const removed = yield* nextRemoved

    assert.strictEqual(leftOver?.id, artifact.id)
    assert.strictEqual(removed, artifact.storageKey)
  })
})
