/**
 * Finds the executions that a job cancels: walks the lists of its unfinished ones by rising id, and then looks at those
 * rows alone. So a bite costs what it looks at, however much the account has finished.
 */
import type { CancelFilter, CancelJob } from "@runhook/core/cancels/CancelJob"
import { ExecutionStatus, isTerminal } from "@runhook/core/executions/ExecutionStatus"
import { idsFrom } from "@runhook/core/shared/IdPrefix"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Within } from "../accounts/Buckets.ts"
import { last } from "../executions/list/FindIds.ts"
import { isAsked } from "../executions/list/FindRequests.ts"
import * as ListNumbers from "../executions/list/ListNumbers.ts"
import { listsOf } from "../executions/list/ListedStatus.ts"
import { inStatus } from "../executions/list/SlotHolders.ts"
import { within } from "../sql/IdTimes.ts"
import { integer, smallint, text, texts, uuid, uuids } from "../sql/Parameters.ts"

export interface Walk {
  readonly bucket: number
  readonly within: Within
  readonly job: Pick<CancelJob, "accountId" | "filter" | "id" | "scope">
  /** Only those behind this id. */
  readonly after: string
  readonly limit: number
}

const unfinished = ExecutionStatus.literals.filter((status) => !isTerminal(status))

const statusesOf = ({ statuses }: CancelFilter): ReadonlyArray<ExecutionStatus> =>
  unfinished.filter((status) => statuses === null || statuses.includes(status))

/**
 * The `id` of each, up to the job's own: those above it were created later. Some may be of another list that has the
 * same number, and running ones are listed as queued: `meant` looks at each.
 */
export const walked = (sql: SqlClient, { after, job, limit, within: inBucket }: Walk): Fragment => {
  const { accountId, filter } = job
  const { agentId, taskId } = filter
  const number =
    agentId !== null ? ListNumbers.ofAgent : taskId !== null ? ListNumbers.ofTask : ListNumbers.ofStatus
  return sql`
    SELECT w.id
    FROM (
      SELECT ${uuid(accountId)} AS account_id, ${uuid(agentId)} AS agent_id, ${uuid(taskId)} AS task_id, status
      FROM unnest(${texts(listsOf(statusesOf(filter)))}) AS status
    ) AS asked
    CROSS JOIN LATERAL (
      SELECT s.execution_id AS id
      FROM execution_status s
      WHERE ${sql.literal(number("s"))} = ${sql.literal(number("asked"))} AND ${inBucket("s")}
        AND s.execution_id > ${uuid(after)} AND s.execution_id < ${uuid(job.id)}
        AND ${within(sql, "s.execution_id", filter)}
      ORDER BY s.execution_id
      LIMIT ${integer(limit)}
    ) AS w
    ORDER BY w.id
    LIMIT ${integer(limit)}`
}

/** What follows `FROM`, for those of the ids of `x` that match: `e` and `r`. */
export const meant = (
  sql: SqlClient,
  x: Fragment,
  { bucket, job }: Pick<Walk, "bucket" | "job">
): Fragment => {
  const { accountId, filter, scope } = job
  const among = (column: "agent_id" | "task_id", ids: ReadonlyArray<string> | null) =>
    ids === null ? [] : [sql`r.${sql.literal(column)} = ANY (${uuids(ids)})`]
  return sql`
    (${x}) AS x
    ${inStatus(sql, { bucket, id: "x.id", statuses: statusesOf(filter) })}
    CROSS JOIN LATERAL (
      SELECT * FROM execution_requests r WHERE r.bucket = ${smallint(bucket)} AND r.id = x.id LIMIT 1
    ) AS r
    WHERE ${sql.and([
      isAsked(sql, { accountId, filter }),
      ...among("task_id", scope.taskIds),
      ...among("agent_id", scope.agentIds),
      ...(filter.find === null ? [] : [begins(sql, filter.find)])
    ])}`
}

/** Whether the id of a request `r`, or the reference that it was given, begins so. */
const begins = (sql: SqlClient, find: string): Fragment => {
  const range = idsFrom(find)
  const byReference = sql`(${sql.literal(ListNumbers.isReferenceGiven("r"))}
    AND r.reference >= ${text(find)} AND r.reference < ${text(`${find}${last}`)})`
  return range === null
    ? byReference
    : sql`(${byReference} OR (r.id >= ${uuid(range.lowest)} AND r.id <= ${uuid(range.highest)}))`
}
