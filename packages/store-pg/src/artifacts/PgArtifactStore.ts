/** Metadata of artifacts in PostgreSQL. `ArtifactStorage` has their bytes. */
import {
  Artifact,
  artifactsPerExecutionMax,
  isSameCapture,
  uploadAwaited
} from "@runhook/core/artifacts/Artifact"
import type { AccountId, ArtifactId, ExecutionId } from "@runhook/core/shared/Ids"
import { leaseLost } from "@runhook/core/runs/LeaseMoves"
import {
  ArtifactLimitReached,
  ArtifactNotFound,
  ArtifactQuotaReached,
  ArtifactStore
} from "@runhook/core/artifacts/ArtifactStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { PgRuns } from "../runs/moves/PgRuns.ts"
import { integer, smallint, uuid } from "../sql/Parameters.ts"
import { decoded, decodedFirst, idempotentOrDefect, inOneTransaction, orDefect } from "../sql/SqlErrors.ts"
import { artifactColumns, makeNoteArtifact, makeWritable } from "./NoteArtifact.ts"

interface ArtifactRef {
  readonly accountId: AccountId
  readonly executionId: ExecutionId
  readonly id: ArtifactId
}

export const layer = Layer.effect(
  ArtifactStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const buckets = yield* Buckets
    const runs = yield* PgRuns
    const columns = sql.literal(artifactColumns)
    const writable = yield* makeWritable
    const noteArtifact = yield* makeNoteArtifact

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
        const registered = yield* noteArtifact(bucket, artifact, writer)
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
            SET awaited_until = ${runs.timeSqlAt(at).after(uploadAwaited)}
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
        return artifacts.filter(({ isReady }) => isReady)
      }, idempotentOrDefect)
    })
  })
)
