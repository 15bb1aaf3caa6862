/** Adds an artifact, if its execution may have it, and counts it for the execution and the account. */
import { Artifact, artifactsPerExecutionMax, uploadAwaited } from "@runhook/core/artifacts/Artifact"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeTimeSqlAt, nowGiven, StoreClock } from "../clock/StoreClock.ts"
import { databaseFunction } from "../engine/DatabaseFunction.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"
import { bigint, boolean, float8, integer, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"

/** The attempt that may write artifacts, and until when. */
export interface Writer extends Pick<Artifact, "accountId" | "epoch" | "executionId"> {
  readonly finalizeMs: number
  readonly at: DateTime.Utc
}

/** The columns of an artifact `a`. */
export const artifactColumns = listOf(
  columnsOf(Artifact, "a.", {
    sizeBytes: "a.size_bytes::float8",
    startedOffsetMs: "a.started_offset_ms::float8"
  })
)

/** Locks the execution `e`, if the attempt may write artifacts of it now. */
export const makeWritable = Effect.gen(function* () {
  const sql = yield* SqlClient
  const timeSqlAt = yield* makeTimeSqlAt
  return (bucket: number, { accountId, at, epoch, executionId, finalizeMs }: Writer) => sql`
    SELECT e.id, e.artifact_count AS count
    FROM executions e
    WHERE e.bucket = ${smallint(bucket)} AND e.id = ${uuid(executionId)} AND e.account_id = ${uuid(accountId)}
      AND e.attempt_epoch = ${integer(epoch)}
      AND (
        e.stopped_at IS NULL
        OR e.stopped_at >= ${timeSqlAt(at).before(Duration.millis(finalizeMs))}
      )
    FOR UPDATE`
})

interface Registration {
  readonly bucket: number
  readonly artifact: Artifact
  readonly finalizeMs: number
  readonly now: DateTime.Utc | null
  /** It has none: each is a call of its own. */
  readonly items: readonly []
}

export const registerArtifact = databaseFunction({
  name: "register_artifact",
  parameters: {
    account_id: uuid(({ artifact }: Registration) => artifact.accountId),
    execution_id: uuid(({ artifact }: Registration) => artifact.executionId),
    id: uuid(({ artifact }: Registration) => artifact.id),
    epoch: integer(({ artifact }: Registration) => artifact.epoch),
    kind: text(({ artifact }: Registration) => artifact.kind),
    file_name: text(({ artifact }: Registration) => artifact.fileName),
    content_type: text(({ artifact }: Registration) => artifact.contentType),
    size_bytes: bigint(({ artifact }: Registration) => artifact.sizeBytes),
    sha256: text(({ artifact }: Registration) => artifact.sha256),
    storage_key: text(({ artifact }: Registration) => artifact.storageKey),
    is_ready: boolean(({ artifact }: Registration) => artifact.isReady),
    platform_id: uuid(({ artifact }: Registration) => artifact.platformId),
    handler: text(({ artifact }: Registration) => artifact.handler),
    started_offset_ms: bigint(({ artifact }: Registration) => artifact.startedOffsetMs),
    created_at: timestamptz(({ artifact }: Registration) => artifact.createdAt),
    capture: text(({ artifact }: Registration) => captureOf(artifact)),
    now: timestamptz(({ now }: Registration) => now),
    awaited_ms: float8<Registration>(() => Duration.toMillis(uploadAwaited)),
    finalize_ms: float8(({ finalizeMs }: Registration) => finalizeMs),
    count_max: integer<Registration>(() => artifactsPerExecutionMax)
  },
  columns: {},
  /** The artifact, and the bytes of its account including this artifact. */
  answer: Schema.Struct({ ...Artifact.fields, usedBytes: Schema.Finite })
})

/** Runs in the caller's transaction. Answers nothing where the function does. */
export const makeNoteArtifact = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* StoreClock
  return (bucket: number, artifact: Artifact, { at, finalizeMs }: Writer) =>
    Effect.map(
      registerArtifact.call(sql, { bucket, artifact, finalizeMs, now: nowGiven(clock, at), items: [] }),
      ([registered]) => registered
    )
})

/** A text that is equal for registrations of the same capture. `isSameCapture` compares the same fields. */
const captureOf = (artifact: Artifact): string =>
  JSON.stringify([
    artifact.epoch,
    artifact.kind,
    artifact.fileName,
    artifact.contentType,
    artifact.sizeBytes,
    artifact.sha256,
    artifact.platformId,
    artifact.handler,
    artifact.startedOffsetMs
  ])
