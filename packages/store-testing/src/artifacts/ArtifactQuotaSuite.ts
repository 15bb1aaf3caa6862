/** What every ArtifactStore does about the quota of an account. */
import { assert } from "@effect/vitest"
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import { makeTenant, second, type Stores } from "../Fixtures.ts"
import { makeStartedRun } from "../runs/RunFixtures.ts"
import { finalizeMs, newArtifact } from "./ArtifactStoreSuite.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ArtifactStore's quota", { layer, name }, (it) => {
    it.test(
      "registers artifacts up to the quota of their account, counting what was announced",
      function* () {
        const store = yield* ArtifactStore
        const { run } = yield* makeStartedRun(yield* makeTenant())
        const others = yield* makeStartedRun(yield* makeTenant())
        const [half, rest, more] = yield* Effect.all([
          newArtifact(run, { fileName: "half.pdf", sizeBytes: 500 }),
          newArtifact(run, { fileName: "rest.pdf", sizeBytes: 500 }),
          newArtifact(run, { fileName: "more.pdf", sizeBytes: 1 })
        ])
        const register = (artifact: Artifact) =>
          store.register({ artifact, finalizeMs, quotaBytes: 1_000, at: second(3) })
        yield* register(half)
        yield* register(half)
        yield* register(rest)

        const error = yield* Effect.flip(register(more))
        const again = yield* Effect.flip(register(more))
        const missing = yield* Effect.flip(
          store.find({ accountId: more.accountId, executionId: more.executionId, id: more.id })
        )
        const repeated = yield* register(rest)
        const elsewhere = yield* register(yield* newArtifact(others.run, { sizeBytes: 1_000 }))
        const unlimited = yield* store.register({
          artifact: more,
          finalizeMs,
          quotaBytes: null,
          at: second(3)
        })

        assert.deepInclude(error, { _tag: "ArtifactQuotaReached", limit: 1_000, used: 1_000 })
        // What was refused left nothing behind, and does not count.
        assert.deepInclude(again, { _tag: "ArtifactQuotaReached", used: 1_000 })
        assert.strictEqual(missing._tag, "ArtifactNotFound")
        assert.strictEqual(repeated.id, rest.id)
        assert.strictEqual(elsewhere.sizeBytes, 1_000)
        assert.deepStrictEqual(unlimited, more)
      }
    )

    it.test("registers one of ten that come at once where there is room for one", function* () {
      const store = yield* ArtifactStore
      const tenant = yield* makeTenant()
      const { run } = yield* makeStartedRun(tenant)
      const artifacts = yield* Effect.all(
        Array.from({ length: 10 }, (_, index) =>
          newArtifact(run, { fileName: `${index}.pdf`, sizeBytes: 600 })
        )
      )

      const exits = yield* Effect.forEach(
        artifacts,
        (artifact) => Effect.exit(store.register({ artifact, finalizeMs, quotaBytes: 1_000, at: second(3) })),
        { concurrency: "unbounded" }
      )

      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
    })
  })
