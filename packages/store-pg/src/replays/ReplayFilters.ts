/** Filters of replays as SQL conditions, and the table that each walks. */
import type { ReplayFilter } from "@runhook/core/replays/ReplayJob"
import type { KeyScope } from "@runhook/core/keys/KeyScope"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { madeWithin, wanted } from "../deliveries/history/DeliveryFilters.ts"
import { smallint, uuids } from "../sql/Parameters.ts"

/**
 * The table that a replay walks by id: dead deliveries have one of their own, since there may be many more others.
 */
export const walked = (sql: SqlClient, { states }: ReplayFilter): Fragment =>
  states.every((state) => state === "dead")
    ? sql`(SELECT bucket, account_id, delivery_id AS id FROM webhook_dead)`
    : sql`webhook_deliveries`

/** Whether the id of `x` is one that the filter may mean. */
export const named = (sql: SqlClient, { ids, ...filter }: ReplayFilter): Fragment =>
  sql.and([madeWithin(sql, "x.id", filter), ...(ids === null ? [] : [sql`x.id = ANY (${uuids(ids)})`])])

/** Whether a delivery `d` of the bucket matches, judged by its row and that of its execution. */
export const meant = (
  sql: SqlClient,
  { bucket, filter }: { readonly bucket: number; readonly filter: ReplayFilter }
): Fragment =>
  sql.and([
    wanted(sql, filter),
    ...(filter.lastOnly ? [isLast(sql, bucket)] : []),
    ...(filter.taskIds === null && filter.agentIds === null ? [] : [inScope(sql, bucket, filter)])
  ])

const inScope = (sql: SqlClient, bucket: number, { agentIds, taskIds }: KeyScope): Fragment => sql`(
    d.execution_id IS NULL OR EXISTS (
      SELECT FROM execution_requests r
      WHERE ${sql.and([
        sql`r.bucket = ${smallint(bucket)} AND r.id = d.execution_id`,
        ...(taskIds === null ? [] : [sql`r.task_id = ANY (${uuids(taskIds)})`]),
        ...(agentIds === null ? [] : [sql`r.agent_id = ANY (${uuids(agentIds)})`])
      ])}
    )
  )`

const isLast = (sql: SqlClient, bucket: number): Fragment => sql`
  NOT EXISTS (
    SELECT FROM webhook_deliveries l
    WHERE l.bucket = ${smallint(bucket)} AND l.execution_id = d.execution_id
      AND l.endpoint_id IS NOT DISTINCT FROM d.endpoint_id AND (l.revision, l.id) > (d.revision, d.id)
  )`
