/** Notes changes of executions for the endpoints of their accounts, in the statement or the transaction that stores them. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import type { Change } from "@runhook/core/domain/run/Run"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { rowsOf } from "../rows/Rows.ts"
import { rowTable } from "../rows/RowTable.ts"
import { inBucket, integer, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { type Columns, fixedRows } from "../sql/Rows.ts"
import { type Fixed, fixed, type InBucket, statement } from "../sql/Statement.ts"

/** The endpoints of accounts that are told of what happens now. Numbers rise: one that comes later has a higher one. */
const lastEndpoint = "max(p.number) AS last_endpoint"
const isListening = "p.is_enabled AND p.removed_at IS NULL"

/** The relation `listening`: the accounts of a relation that have endpoints. One probe of a key, whatever is stored. */
export const listening = (relation: string): Fixed<InBucket> => fixed<InBucket>`
listening AS (
  SELECT p.account_id, ${lastEndpoint}
  FROM webhook_endpoints p
  WHERE p.bucket = ${inBucket} AND p.account_id = ANY (ARRAY (SELECT DISTINCT account_id FROM ${relation}))
    AND ${isListening}
  GROUP BY p.account_id
)`

/** What is noted of a change, in the order of the columns. */
const noteColumns: Columns<Change> = {
  account_id: uuid(({ run }) => run.execution.accountId),
  execution_id: uuid(({ run }) => run.execution.id),
  revision: integer(({ run }) => run.revision),
  type: text(({ announced }) => announced),
  status: text(({ run }) => run.execution.status),
  at: timestamptz(({ run }) => run.execution.updatedAt),
  started_at: timestamptz(({ run }) => run.execution.startedAt),
  stopped_at: timestamptz(({ run }) => run.execution.stoppedAt)
}
const columnNames = Object.keys(noteColumns).join(", ")

/** The executions of which something was noted. */
const notedTable = rowTable({ id: "execution_id" }, Schema.Struct({ id: ExecutionId }))
export const notedRows = rowsOf(notedTable)

/** The insert of notes that a query selects, whose last column is the number of the last endpoint. */
export const noting = <Batch>(query: Fixed<Batch>): Fixed<Batch> => fixed<Batch>`
  INSERT INTO endpoint_outbox (bucket, ${columnNames}, last_endpoint)
  ${query}
  RETURNING ${notedTable.columns}`

interface Changes extends InBucket {
  readonly changes: ReadonlyArray<Change>
}

const note = statement(
  noting(fixed<Changes>`
  SELECT ${inBucket}, ${columnNames}, p.last_endpoint
  FROM ${fixedRows("n", ({ changes }: Changes) => changes, noteColumns)}
  CROSS JOIN LATERAL (
    SELECT ${lastEndpoint}
    FROM webhook_endpoints p
    WHERE p.bucket = ${inBucket} AND p.account_id = n.account_id AND ${isListening}
  ) AS p
  WHERE p.last_endpoint IS NOT NULL`)
)

/** The statement that notes changes, in the transaction that stores them; none if they announce nothing. It answers `notedRows`. */
export const notingStatements = (sql: SqlClient, bucket: number, all: ReadonlyArray<Change>) => {
  const changes = all.filter(({ announced }) => announced !== null)
  return changes.length === 0 ? [] : [note(sql, { bucket, changes })]
}
