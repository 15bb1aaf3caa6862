/** Prunes artifacts whose bytes never came. */
import { acceptsArtifacts, uploadAwaited } from "@runhook/core/artifacts/Artifact"
import type { PruneCount, PruneRound } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Iterable from "effect/Iterable"
import type { AwaitedUpload, Tables } from "../MemoryDatabase.ts"

export const pruneUploads = (tables: Tables, { at, limit, retention }: Required<PruneRound>): PruneCount => {
  const { awaitedUploads, runs } = tables
  const finalizeMs = Duration.toMillis(retention.finalize ?? Duration.zero)
  const overdue = Iterable.filter(awaitedUploads.values(), ({ until }) =>
    DateTime.isLessThanOrEqualTo(until, at)
  )
  const seen = [...Iterable.take(overdue, limit)]
  let pruned = 0
  for (const upload of seen) {
    const { epoch, executionId, id } = upload.artifact
    const run = runs.get(executionId)
    if (run !== undefined && acceptsArtifacts(run, { epoch, finalizeMs, at })) {
      awaitedUploads.set(id, { ...upload, until: DateTime.addDuration(at, uploadAwaited) })
    } else {
      prune(tables, upload)
      pruned++
    }
  }
  return { pruned, hasMore: seen.length === limit }
}

const prune = (
  { artifactBytes, artifacts, awaitedUploads, leftOvers }: Tables,
  { artifact }: AwaitedUpload
) => {
  const { accountId, executionId, id, sizeBytes, storageKey } = artifact
  const others = (artifacts.get(executionId) ?? []).filter((other) => other.id !== id)
  artifacts.set(executionId, others)
  artifactBytes.set(accountId, (artifactBytes.get(accountId) ?? 0) - sizeBytes)
  awaitedUploads.delete(id)
  leftOvers.set(id, { accountId, id, storageKey })
}
