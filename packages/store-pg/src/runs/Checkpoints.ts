/** Checkpoints of executions: kept under a lease, and read for claims of work that may have one. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { mayHaveCheckpoint } from "@runhook/core/runs/Checkpoint"
import { leaseLost } from "@runhook/core/runs/LeaseMoves"
import type { ClaimedRun, RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { PgRuns } from "./moves/PgRuns.ts"
import { integer, json, smallint, uuid, uuids } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import type { Uncheckpointed } from "./ClaimRow.ts"

const CheckpointRow = Schema.Struct({ id: ExecutionId, value: Schema.String })

export const makeCheckpoints = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const runs = yield* PgRuns

  /** The claims with their checkpoints. Work that nobody had before costs no statement. */
  const withCheckpoints = Effect.fnUntraced(function* (
    bucket: number,
    claims: ReadonlyArray<Uncheckpointed>
  ) {
    const ids = claims.filter(({ run }) => mayHaveCheckpoint(run)).map(({ run }) => run.execution.id)
    const found =
      ids.length === 0
        ? []
        : yield* decoded(CheckpointRow)(sql`
            SELECT c.execution_id AS id, c.value::text AS value
            FROM execution_checkpoints c
            WHERE c.bucket = ${smallint(bucket)} AND c.execution_id = ANY (${uuids(ids)})`)
    const values = new Map(found.map(({ id, value }) => [id, StoredJson.fromText(value)]))
    return claims.map((claim): ClaimedRun => ({
      ...claim,
      checkpoint: values.get(claim.run.execution.id) ?? null
    }))
  })

  /** In the caller's transaction. The lock keeps the lease until the checkpoint is stored: no claim comes in between. */
  const keep = Effect.fnUntraced(function* (options: Parameters<RunStore["Service"]["keepCheckpoint"]>[0]) {
    const { accountId, checkpoint, epoch, id } = options
    const bucket = yield* buckets.of(accountId)
    const held = yield* sql`
      SELECT e.id FROM executions e
      WHERE e.bucket = ${smallint(bucket)} AND e.id = ${uuid(id)} AND e.account_id = ${uuid(accountId)}
        AND e.epoch = ${integer(epoch)} AND e.slot IS NOT NULL
      FOR UPDATE`
    if (held.length === 0) return yield* leaseLost(yield* runs.get(options))
    yield* sql`
      INSERT INTO execution_checkpoints (bucket, execution_id, value)
      VALUES (${smallint(bucket)}, ${uuid(id)}, ${json(checkpoint.text)})
      ON CONFLICT (bucket, execution_id) DO UPDATE SET value = excluded.value`
  })

  return { keep, withCheckpoints }
})
