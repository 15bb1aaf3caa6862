/** Metadata of artifacts in memory. */
import {
  acceptsArtifacts,
  type Artifact,
  artifactsPerExecutionMax,
  isSameCapture,
  uploadAwaited
} from "@runhook/core/artifacts/Artifact"
import type { AccountId, ArtifactId, ExecutionId } from "@runhook/core/shared/Ids"
import { leaseLost } from "@runhook/core/runs/LeaseMoves"
import type { Run } from "@runhook/core/runs/Run"
import {
  ArtifactLimitReached,
  ArtifactNotFound,
  ArtifactQuotaReached,
  ArtifactStore
} from "@runhook/core/artifacts/ArtifactStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"
import { findRun } from "../runs/moves/Moves.ts"
import { transaction } from "../tables/Transaction.ts"

export const layer = Layer.effect(
  ArtifactStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase

    return ArtifactStore.of({
      register: ({ artifact, finalizeMs, quotaBytes, at }) =>
        transaction(() =>
          Result.gen(function* () {
            const { accountId, executionId, epoch } = artifact
            const run = yield* findRun(tables, { accountId, id: executionId })
            if (!acceptsArtifacts(run, { epoch, finalizeMs, at })) return yield* Result.fail(leaseLost(run))
            const artifacts = artifactsOf(tables, executionId)
            const before = artifacts.find((other) => isSameCapture(other, artifact))
            if (before !== undefined) return awaited(tables, before, at)
            if (artifacts.length >= artifactsPerExecutionMax) {
              return yield* Result.fail(new ArtifactLimitReached({ limit: artifactsPerExecutionMax }))
            }
            const used = tables.artifactBytes.get(accountId) ?? 0
            if (quotaBytes !== null && used + artifact.sizeBytes > quotaBytes) {
              return yield* Result.fail(new ArtifactQuotaReached({ limit: quotaBytes, used }))
            }
            tables.artifactBytes.set(accountId, used + artifact.sizeBytes)
            tables.artifacts.set(executionId, [...artifacts, artifact])
            return awaited(tables, artifact, at)
          })
        ),

      find: (ref) => transaction(() => Result.map(findArtifact(tables, ref), ({ artifact }) => artifact)),

      markReady: ({ epoch, finalizeMs, at, ...ref }) =>
        transaction(() =>
          Result.gen(function* () {
            const { run, artifact } = yield* findArtifact(tables, ref)
            if (artifact.isReady && artifact.epoch === epoch) return artifact
            if (artifact.epoch !== epoch || !acceptsArtifacts(run, { epoch, finalizeMs, at })) {
              return yield* Result.fail(leaseLost(run))
            }
            const ready = { ...artifact, isReady: true }
            const artifacts = artifactsOf(tables, ref.executionId)
            tables.artifacts.set(
              ref.executionId,
              artifacts.map((other) => (other.id === ready.id ? ready : other))
            )
            tables.awaitedUploads.delete(ready.id)
            return ready
          })
        ),

      listReady: (accountId, executionId) =>
        Effect.sync(() =>
          Array.sort(
            artifactsOf(tables, executionId).filter((each) => each.isReady && each.accountId === accountId),
            oldestFirst
          )
        )
    })
  })
)

/** From now on, unless it is ready. */
const awaited = (tables: Tables, artifact: Artifact, at: DateTime.Utc): Artifact => {
  const until = DateTime.addDuration(at, uploadAwaited)
  if (!artifact.isReady) tables.awaitedUploads.set(artifact.id, { artifact, until })
  return artifact
}

const oldestFirst: Order.Order<Artifact> = Order.mapInput(Order.String, ({ id }) => id)

const artifactsOf = (tables: Tables, id: ExecutionId): ReadonlyArray<Artifact> =>
  tables.artifacts.get(id) ?? []

const findArtifact = (
  tables: Tables,
  {
    accountId,
    executionId,
    id
  }: { readonly accountId: AccountId; readonly executionId: ExecutionId; readonly id: ArtifactId }
) =>
  Result.flatMap(
    findRun(tables, { accountId, id: executionId }),
    (run): Result.Result<{ run: Run; artifact: Artifact }, ArtifactNotFound> => {
      const artifact = artifactsOf(tables, executionId).find((each) => each.id === id)
      return artifact === undefined
        ? Result.fail(new ArtifactNotFound({ executionId, id }))
        : Result.succeed({ run, artifact })
    }
  )
