/** Runners that register and complete artifacts, beside sweeps that forget them, on processes whose clocks differ by hours. */
import { assert, describe, it } from "@effect/vitest"
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import type { Run } from "@runhook/core/runs/Run"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { bucketOfNew } from "@runhook/store-pg/accounts/Buckets"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { newArtifact } from "@runhook/store-testing/artifacts/ArtifactStoreSuite"
import { finalizedFor } from "@runhook/store-testing/artifacts/UploadPruneSuite"
import { makeExecution, makeTenant, second, type Tenant } from "@runhook/store-testing/Fixtures"
import {
  claimUpTo,
  lease,
  makeSession,
  makeStartedRun,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { SqlClient } from "effect/sql/SqlClient"
import { brokenRules } from "./Invariants.ts"
import { layerMigrated } from "./TestDatabase.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provide(Layer.succeed(StoreClock, "caller")),
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

const hour = 3_600

/** Runs and artifacts that came last, which the verbs are about: few, so that they meet. */
const aboutMax = 4

const oneOf = <A>(items: ReadonlyArray<A>) =>
  Effect.map(Random.nextIntBetween(0, Math.max(items.length, 1)), (place) => items[place])

const makeVerbs = Effect.fnUntraced(function* (tenant: Tenant) {
  const artifacts = yield* ArtifactStore
  const runs = yield* RunStore
  const sweeps = yield* SweepStore
  const session = yield* makeSession(tenant, { capacity: 1_000 })
  const started: Array<Run> = []
  const registered: Array<Artifact> = []
  const completed: Array<Artifact> = []
  const refusals = new Set<string>()
  const [limit, finalizeMs, quotaBytes] = [5, hour * 1_000, 3_000]

  const about = <Item, A, E, R>(items: ReadonlyArray<Item>, verb: (item: Item) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(oneOf(items.slice(-aboutMax)), (item) =>
      item === undefined ? Effect.void : Effect.exit(verb(item))
    )

  /** What one process does at a time that its clock shows. */
  const verbsAt = (step: number) => {
    const at = second(step)
    const start = Effect.gen(function* () {
      yield* makeExecution(tenant, { maxAttempts: 2 })
      const { claims } = yield* claimUpTo(session, { limit: 2, at })
      for (const { run } of claims) {
        const change = yield* Effect.orDie(runs.start({ ...writeTo(run, at), lease }))
        started.push(change.run)
      }
    })
    const register = about(started, (run) =>
      Effect.gen(function* () {
        const sizeBytes = 100 + (step % 3)
        const artifact = yield* newArtifact(run, { fileName: `${step % 5}.pdf`, sizeBytes })
        registered.push(yield* artifacts.register({ artifact, finalizeMs, quotaBytes, at }))
      }).pipe(Effect.tapError(({ _tag }) => Effect.sync(() => refusals.add(_tag))))
    )
    const complete = about(registered, (artifact) =>
      Effect.map(artifacts.markReady({ ...artifact, finalizeMs, at }), (ready) => completed.push(ready))
    )
    const fail = about(started, (run) =>
      runs.finish({
        ...writeTo(run, at),
        outcome: { _tag: "Failed", message: "no such page", isRetryable: step % 2 === 0 },
        fingerprint: "same"
      })
    )
    const prune = sweeps.prune("uploads", { at, limit, retention: finalizedFor(finalizeMs) })
    return [start, register, register, register, complete, complete, fail, prune, prune]
  }
  return { completed, refusals, verbsAt }
})

const stepsOfWalker = 120

/** Holds the run, as whoever registers or completes an artifact does, until it is released. */
const holding = Effect.fnUntraced(function* ({ execution: { accountId, id } }: Run) {
  const sql = yield* SqlClient
  const [isHeld, release] = [yield* Latch.make(), yield* Latch.make()]
  const holder = yield* Effect.forkChild(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`
          SELECT FROM executions
          WHERE bucket = ${bucketOfNew(accountId)}::smallint AND id = ${id}::uuid
          FOR UPDATE`
        yield* isHeld.open
        yield* release.await
      })
    )
  )
  yield* isHeld.await
  return Effect.andThen(release.open, Fiber.join(holder))
})

describe("PostgreSQL under concurrent uploads and sweeps", () => {
  it.layer(stores)((it) => {
    it.effect("leaves what somebody writes at this moment to the next look, and does not wait", () =>
      Effect.gen(function* () {
        const [artifacts, sweeps] = [yield* ArtifactStore, yield* SweepStore]
        const { run } = yield* makeStartedRun(yield* makeTenant())
        const artifact = yield* newArtifact(run)
        const [at, finalizeMs] = [second(3), 0]
        yield* artifacts.register({ artifact, finalizeMs, quotaBytes: null, at })
        const outcome = { _tag: "Completed", result: null } as const
        const runs = yield* RunStore
        yield* runs.finish({ ...writeTo(run, at), outcome, fingerprint: "one" })
        const prune = sweeps.prune("uploads", {
          at: second(2 * hour),
          limit: 10,
          retention: finalizedFor(finalizeMs)
        })
        const release = yield* holding(run)

        const whileHeld = yield* prune
        yield* release
        const after = yield* prune

        assert.deepStrictEqual([whileHeld.pruned, after.pruned], [0, 1])
      })
    )

    it.effect("counts what is there, and keeps all that was completed", () =>
      Effect.gen(function* () {
        const artifacts = yield* ArtifactStore
        const { completed, refusals, verbsAt } = yield* makeVerbs(yield* makeTenant({ capacity: 1_000 }))
        const walker = Effect.gen(function* () {
          for (let step = 0; step < stepsOfWalker; step++) {
            const ahead = yield* Random.nextIntBetween(0, 3 * hour)
            const verb = yield* oneOf(verbsAt(step + ahead))
            if (verb !== undefined) yield* verb
          }
        })

        yield* Effect.all(
          Array.from({ length: 16 }, () => walker),
          { concurrency: "unbounded" }
        )

        assert.deepStrictEqual(yield* brokenRules, [])
        assert.notInclude([...refusals], "ArtifactLimitReached")
        assert.isAbove(completed.length, 0)
        for (const artifact of completed) assert.deepStrictEqual(yield* artifacts.find(artifact), artifact)
      })
    )
  })
})
