/** Reads current runs of one bucket, each by its whole key. */
import type { ExecutionId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { databaseNow } from "../../clock/DatabaseNow.ts"
import { ofExecution, ofRun, runTable, type StoredRun } from "../../executions/RunRow.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { both, rowTable } from "../../rows/RowTable.ts"
import { inBucket, uuids } from "../../sql/Parameters.ts"
import { fixed, type InBucket, statement } from "../../sql/Statement.ts"

const columns = { ...ofExecution, ...ofRun, now: databaseNow }

/** A run, and the database's now. */
const table = both(
  runTable(columns),
  rowTable(columns, Schema.Struct({ now: Schema.Finite })),
  (stored, { now }) => ({ stored, now })
)

interface Batch extends InBucket {
  readonly ids: ReadonlyArray<ExecutionId>
}

const read = statement(fixed<Batch>`
SELECT ${table.columns}
FROM unnest(${uuids(({ ids }) => ids)}) AS asked (id)
CROSS JOIN LATERAL (
  SELECT * FROM executions e WHERE e.bucket = ${inBucket} AND e.id = asked.id LIMIT 1
) AS e
CROSS JOIN LATERAL (
  SELECT * FROM execution_requests r WHERE r.bucket = ${inBucket} AND r.id = asked.id LIMIT 1
) AS r
LEFT JOIN LATERAL (
  SELECT x.result FROM execution_results x
  WHERE x.bucket = ${inBucket} AND x.execution_id = asked.id
  LIMIT 1
) AS x ON TRUE`)

const found = rowsOf(table)

export interface Read {
  readonly runs: ReadonlyMap<ExecutionId, StoredRun>
  /** The database's now, in milliseconds; unused when nothing was found. */
  readonly now: number
}

export const readRuns = (sql: SqlClient, bucket: number, ids: ReadonlyArray<ExecutionId>) =>
  Effect.map(found(read(sql, { bucket, ids })), (rows): Read => ({
    runs: new Map(rows.map(({ stored }) => [stored.run.execution.id, stored])),
    now: rows[0]?.now ?? 0
  }))
