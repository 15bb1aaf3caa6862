/** Metadata of artifacts in PostgreSQL. `ArtifactStorage` has their bytes. */
import {
  Artifact,
  artifactsPerExecutionMax,
  isSameCapture,
  uploadAwaited
} from "@runhook/core/domain/artifact/Artifact"
import type { AccountId, ArtifactId, ExecutionId } from "@runhook/core/domain/Ids"
import { leaseLost } from "@runhook/core/domain/run/LeaseMoves"
import {
  ArtifactLimitReached,
  ArtifactNotFound,
  ArtifactQuotaReached,
  ArtifactStore
} from "@runhook/core/ports/ArtifactStore"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { PgRuns } from "../moves/PgRuns.ts"
import { bigint, boolean, integer, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { decoded, decodedFirst, idempotentOrDefect, inOneTransaction, orDefect } from "../sql/SqlErrors.ts"
import { columnsOf, listOf } from "../rows/RowTable.ts"

/** An artifact, and the bytes of its account including this artifact. */
const Registered = Schema.Struct({ ...Artifact.fields, usedBytes: Schema.Finite })

interface ArtifactRef {
  readonly accountId: AccountId
  readonly executionId: ExecutionId
  readonly id: ArtifactId
}

/** The attempt that may write artifacts, and until when. */
interface Writer {
  readonly accountId: AccountId
  readonly executionId: ExecutionId
  readonly epoch: number
  readonly finalizeMs: number
  readonly at: DateTime.Utc
}

export const layer = Layer.effect(
  ArtifactStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const buckets = yield* Buckets
    const runs = yield* PgRuns
    const columns = sql.literal(
      listOf(
        columnsOf(Artifact, "a.", {
          sizeBytes: "a.size_bytes::float8",
          startedOffsetMs: "a.started_offset_ms::float8"
        })
      )
    )

    /** Locks the execution `e`, if the attempt may write artifacts of it now. */
    const writable = (bucket: number, { accountId, at, epoch, executionId, finalizeMs }: Writer) => sql`
      SELECT e.id, e.artifact_count
      FROM executions e
      WHERE e.bucket = ${smallint(bucket)} AND e.id = ${uuid(executionId)} AND e.account_id = ${uuid(accountId)}
        AND e.attempt_epoch = ${integer(epoch)}
        AND (
          e.stopped_at IS NULL
          OR e.stopped_at >= ${runs.timeSqlAt(at).before(Duration.millis(finalizeMs))}
        )
      FOR UPDATE`

    const all = Effect.fnUntraced(function* (accountId: AccountId, executionId: ExecutionId) {
      const bucket = yield* buckets.of(accountId)
      return yield* decoded(Artifact)(sql`
        SELECT ${columns}
        FROM artifacts a
        WHERE a.bucket = ${smallint(bucket)} AND a.execution_id = ${uuid(executionId)}
          AND a.account_id = ${uuid(accountId)}
        ORDER BY a.id`)
    })

    const find = Effect.fnUntraced(function* ({ accountId, executionId, id }: ArtifactRef) {
      const bucket = yield* buckets.of(accountId)
      const artifact = yield* decodedFirst(Artifact)(sql`
        SELECT ${columns}
        FROM artifacts a
        WHERE a.bucket = ${smallint(bucket)} AND a.execution_id = ${uuid(executionId)}
          AND a.account_id = ${uuid(accountId)} AND a.id = ${uuid(id)}`)
      if (artifact !== undefined) return artifact
      yield* runs.get({ accountId, id: executionId })
      return yield* new ArtifactNotFound({ executionId, id })
    })

    return ArtifactStore.of({
      register: Effect.fnUntraced(function* ({ artifact, finalizeMs, quotaBytes, at }) {
        const { accountId, epoch, executionId } = artifact
        const bucket = yield* buckets.of(accountId)
        const writer = { accountId, executionId, epoch, finalizeMs, at }
        const awaitedUntil = runs.timeSqlAt(at).after(uploadAwaited)
        const registered = yield* decodedFirst(Registered)(sql`
          -- The execution, locked, if the attempt may write artifacts of it.
          WITH writable AS (${writable(bucket, writer)}),
          -- The artifact, unless the execution has as many as it may have, or the same capture already.
          noted AS (
            INSERT INTO artifacts (
              bucket, account_id, execution_id, id, epoch, kind, file_name, content_type, size_bytes, sha256,
              storage_key, is_ready, platform_id, handler, started_offset_ms, created_at, capture, awaited_until
            )
            SELECT ${smallint(bucket)}, ${uuid(accountId)}, ${uuid(executionId)}, ${uuid(artifact.id)},
              ${integer(epoch)}, ${text(artifact.kind)}, ${text(artifact.fileName)}, ${text(artifact.contentType)},
              ${bigint(artifact.sizeBytes)}, ${text(artifact.sha256)}, ${text(artifact.storageKey)},
              ${boolean(artifact.isReady)}, ${uuid(artifact.platformId)}, ${text(artifact.handler)},
              ${bigint(artifact.startedOffsetMs)}, ${timestamptz(artifact.createdAt)},
              md5(${text(captureOf(artifact))})::uuid, ${awaitedUntil}
            FROM writable
            WHERE artifact_count < ${integer(artifactsPerExecutionMax)}
            ON CONFLICT (bucket, execution_id, capture) DO NOTHING
            RETURNING *
          ),
          -- The execution has one more,
          counted AS (
            UPDATE executions e
            SET artifact_count = e.artifact_count + 1
            FROM noted
            WHERE e.bucket = ${smallint(bucket)} AND e.id = ${uuid(executionId)}
          ),
          -- and the account that many bytes more.
          charged AS (
            INSERT INTO artifact_usage (bucket, account_id, bytes)
            SELECT ${smallint(bucket)}, ${uuid(accountId)}, size_bytes FROM noted
            ON CONFLICT (bucket, account_id) DO UPDATE SET bytes = artifact_usage.bytes + excluded.bytes
            RETURNING bytes
          )
          SELECT ${columns}, charged.bytes::float8 AS "usedBytes" FROM noted a CROSS JOIN charged`)
        if (registered !== undefined) {
          const { usedBytes, ...noted } = registered
          if (quotaBytes === null || usedBytes <= quotaBytes) return noted
          // Rolls back the insert. Other registrations of the account were waiting for it.
          return yield* new ArtifactQuotaReached({ limit: quotaBytes, used: usedBytes - noted.sizeBytes })
        }
        const run = yield* runs.get({ accountId, id: executionId })
        if ((yield* writable(bucket, writer)).length === 0) return yield* leaseLost(run)
        const before = (yield* all(accountId, executionId)).find((other) => isSameCapture(other, artifact))
        if (before === undefined) return yield* new ArtifactLimitReached({ limit: artifactsPerExecutionMax })
        yield* sql`
            UPDATE artifacts
            SET awaited_until = ${awaitedUntil}
            WHERE bucket = ${smallint(bucket)} AND execution_id = ${uuid(executionId)} AND id = ${uuid(before.id)}
              AND NOT is_ready`
        return before
      }, atomic),

      find: flow(find, idempotentOrDefect),

      markReady: Effect.fnUntraced(function* ({ epoch, finalizeMs, at, ...ref }) {
        const { accountId, executionId, id } = ref
        const bucket = yield* buckets.of(accountId)
        const ready = yield* decodedFirst(Artifact)(sql`
          -- The execution, locked, if the attempt may still write artifacts of it.
          WITH writable AS (${writable(bucket, { accountId, executionId, epoch, finalizeMs, at })})
          UPDATE artifacts a
          SET is_ready = TRUE
          FROM writable
          WHERE a.bucket = ${smallint(bucket)} AND a.execution_id = ${uuid(executionId)} AND a.id = ${uuid(id)} AND a.epoch = ${integer(epoch)}
          RETURNING ${columns}`)
        if (ready !== undefined) return ready
        const artifact = yield* find(ref)
        return artifact.isReady && artifact.epoch === epoch
          ? artifact
          : yield* leaseLost(yield* runs.get({ accountId, id: executionId }))
      }, orDefect),

      listReady: Effect.fnUntraced(function* (accountId, executionId) {
        const artifacts = yield* all(accountId, executionId)
        if (artifacts.length === 0) yield* runs.get({ accountId, id: executionId })
        return artifacts.filter(({ isReady }) => isReady)
      }, idempotentOrDefect)
    })
  })
)

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
