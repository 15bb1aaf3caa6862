/** Executions that hold a slot of an agent: all that run, and never more than there are slots. */
import type { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { smallint, texts, uuid } from "../../sql/Parameters.ts"

/** An account, and the bucket that its rows are in. */
export interface AccountRef {
  readonly bucket: number
  readonly accountId: AccountId
}

/** The `execution_id` of each slot in use of the account's agents. An agent with a slot in use is never removed. */
export const heldBy = (sql: SqlClient, { accountId, bucket }: AccountRef): Fragment => sql`
  SELECT s.execution_id
  FROM agents a
  CROSS JOIN LATERAL (
    SELECT s.execution_id
    FROM agent_slots s
    WHERE s.bucket = ${smallint(bucket)} AND s.agent_id = a.id AND s.execution_id IS NOT NULL
    OFFSET 0
  ) AS s
  WHERE a.bucket = ${smallint(bucket)} AND a.account_id = ${uuid(accountId)}`

/** Joins, by a column of ids, the executions `e` that are in one of the statuses now. */
export const inStatus = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly id: string
    readonly statuses: ReadonlyArray<ExecutionStatus>
  }
): Fragment => sql`
  CROSS JOIN LATERAL (
    SELECT *
    FROM executions e
    WHERE e.bucket = ${smallint(options.bucket)} AND e.id = ${sql.literal(options.id)}
      AND e.status = ANY (${texts(options.statuses)})
    LIMIT 1
  ) AS e`
