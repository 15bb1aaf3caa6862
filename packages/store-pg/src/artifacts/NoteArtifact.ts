/** Adds an artifact, if its execution may have it, and counts it for the execution and the account. */
import { Artifact, artifactsPerExecutionMax, uploadAwaited } from "@runhook/core/domain/artifact/Artifact"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { IsDistributed } from "../database/Nodes.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"
import { bigint, boolean, integer, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { decodedFirst } from "../sql/SqlErrors.ts"

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

const CountRow = Schema.Struct({ count: Schema.Int })
const UsedRow = Schema.Struct({ usedBytes: Schema.Finite })

/** An artifact, and the bytes of its account including this artifact. */
const NotedRow = Schema.Struct({ ...Artifact.fields, ...UsedRow.fields })

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

/**
 * Answers nothing if the attempt may not write artifacts, if the execution has as many as it may have, or the same
 * capture already. Runs in the caller's transaction.
 */
export const makeNoteArtifact = Effect.gen(function* () {
  const sql = yield* SqlClient
  const timeSqlAt = yield* makeTimeSqlAt
  const writable = yield* makeWritable
  const isDistributed = yield* IsDistributed

  const partsOf = (bucket: number, artifact: Artifact, at: DateTime.Utc) => ({
    names: sql.literal(`
      bucket, account_id, execution_id, id, epoch, kind, file_name, content_type, size_bytes, sha256, storage_key,
      is_ready, platform_id, handler, started_offset_ms, created_at, capture, awaited_until`),
    values: sql`
      ${smallint(bucket)}, ${uuid(artifact.accountId)}, ${uuid(artifact.executionId)}, ${uuid(artifact.id)},
      ${integer(artifact.epoch)}, ${text(artifact.kind)}, ${text(artifact.fileName)}, ${text(artifact.contentType)},
      ${bigint(artifact.sizeBytes)}, ${text(artifact.sha256)}, ${text(artifact.storageKey)},
      ${boolean(artifact.isReady)}, ${uuid(artifact.platformId)}, ${text(artifact.handler)},
      ${bigint(artifact.startedOffsetMs)}, ${timestamptz(artifact.createdAt)},
      md5(${text(captureOf(artifact))})::uuid, ${timeSqlAt(at).after(uploadAwaited)}`,
    unlessCaptured: sql`ON CONFLICT (bucket, execution_id, capture) DO NOTHING`,
    ofExecution: sql`e.bucket = ${smallint(bucket)} AND e.id = ${uuid(artifact.executionId)}`,
    toUsage: sql`ON CONFLICT (bucket, account_id) DO UPDATE SET bytes = u.bytes + excluded.bytes`
  })

  const note = (bucket: number, artifact: Artifact, writer: Writer) => {
    const { names, ofExecution, toUsage, unlessCaptured, values } = partsOf(bucket, artifact, writer.at)
    return decodedFirst(NotedRow)(sql`
      -- The execution, locked, if the attempt may write artifacts of it.
      WITH writable AS (${writable(bucket, writer)}),
      noted AS (
        INSERT INTO artifacts (${names})
        SELECT ${values} FROM writable WHERE count < ${integer(artifactsPerExecutionMax)}
        ${unlessCaptured}
        RETURNING *
      ),
      -- The execution has one more,
      counted AS (
        UPDATE executions e SET artifact_count = e.artifact_count + 1 FROM noted WHERE ${ofExecution}
      ),
      -- and the account that many bytes more.
      charged AS (
        INSERT INTO artifact_usage AS u (bucket, account_id, bytes)
        SELECT ${smallint(bucket)}, account_id, size_bytes FROM noted
        ${toUsage}
        RETURNING bytes
      )
      SELECT ${sql.literal(artifactColumns)}, charged.bytes::float8 AS "usedBytes"
      FROM noted a CROSS JOIN charged`)
  }

  /** The same where rows lie on several nodes: Citus takes apart what inserts beside other things. */
  const noteInParts = Effect.fnUntraced(function* (bucket: number, artifact: Artifact, writer: Writer) {
    const { names, ofExecution, toUsage, unlessCaptured, values } = partsOf(bucket, artifact, writer.at)
    const before = yield* decodedFirst(CountRow)(writable(bucket, writer))
    if (before === undefined || before.count >= artifactsPerExecutionMax) return undefined
    const noted = yield* decodedFirst(Artifact)(sql`
      INSERT INTO artifacts AS a (${names}) VALUES (${values})
      ${unlessCaptured}
      RETURNING ${sql.literal(artifactColumns)}`)
    if (noted === undefined) return undefined
    yield* sql`UPDATE executions e SET artifact_count = e.artifact_count + 1 WHERE ${ofExecution}`
    const charged = yield* decodedFirst(UsedRow)(sql`
      INSERT INTO artifact_usage AS u (bucket, account_id, bytes)
      VALUES (${smallint(bucket)}, ${uuid(artifact.accountId)}, ${bigint(artifact.sizeBytes)})
      ${toUsage}
      RETURNING u.bytes::float8 AS "usedBytes"`)
    return charged && { ...noted, ...charged }
  })

  return isDistributed ? noteInParts : note
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
