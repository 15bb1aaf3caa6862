/** Finds the requests of a page of executions, each filter by an index that covers it, or among a few. */
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { ExecutionId } from "@runhook/core/shared/Ids"
import type { PageRequest } from "@runhook/core/shared/Page"
import type { ExecutionFilter } from "@runhook/core/executions/ExecutionStore"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Within } from "../../accounts/Buckets.ts"
import { behind, oneMore } from "../../sql/Paging.ts"
import { integer, smallint, text, texts, uuid } from "../../sql/Parameters.ts"
import { type AccountRef, heldBy, inStatus } from "./SlotHolders.ts"
import { within } from "../../sql/IdTimes.ts"
import { listsOf } from "./ListedStatus.ts"
import { idsFound } from "./FindIds.ts"
import * as ListNumbers from "./ListNumbers.ts"

export interface RequestsQuery extends AccountRef {
  readonly within: Within
  readonly filter: ExecutionFilter
  readonly page: PageRequest
}

/** Requests for a statement to join, and the column that orders them. */
export interface Found {
  /** What follows `FROM`, with a request as `r`. */
  readonly requests: Fragment
  readonly order: "found.id" | "r.id"
}

/**
 * The requests, newest first unless they come from several lists. Some may not match the filter: their status, where
 * a reference finds them, since few executions share one; or the list, if its number is that of another. The caller
 * filters them.
 */
export const found = (sql: SqlClient, asked: RequestsQuery): Found => {
  const { agentId, find, reference, scheduleId, statuses, taskId } = asked.filter
  if (find !== null) {
    const ids = sql`SELECT begun.id FROM ${idsFound(sql, { ...asked, find })} AS begun
      WHERE ${isOnPage(sql, "begun.id", asked)} ORDER BY begun.id DESC`
    return byId(sql, asked, ids)
  }
  if (scheduleId !== null)
    return byId(sql, asked, byRequest(sql, asked, { indexed: ofSchedule, columns: "r.id" }))
  if (reference !== null) return byId(sql, asked, byReference(sql, asked, reference))
  if (statuses !== null || (agentId === null) !== (taskId === null)) {
    return byId(sql, asked, byStatus(sql, asked, statuses ?? ExecutionStatus.literals))
  }
  if (agentId !== null) return byId(sql, asked, byRequest(sql, asked, { indexed: ofBoth, columns: "r.id" }))
  // The walked index leads to the requests, each looked up once. By number, PostgreSQL could walk either of two
  // indexes for the order, and would take the wrong one where it knows little of them.
  return {
    requests: sql`(${byRequest(sql, asked, { indexed: ofAccount, columns: "r.*" })}) AS r`,
    order: "r.id"
  }
}

const byId = (sql: SqlClient, { bucket }: RequestsQuery, ids: Fragment): Found => ({
  requests: sql`
    (${ids}) AS found
    CROSS JOIN LATERAL (
      SELECT * FROM execution_requests r WHERE r.bucket = ${smallint(bucket)} AND r.id = found.id LIMIT 1
    ) AS r`,
  order: "found.id"
})

/** What never changes about an execution. */
interface Facts extends Pick<RequestsQuery, "accountId"> {
  readonly filter: Pick<ExecutionFilter, "agentId" | "reference" | "scheduleId" | "taskId">
}

/** Whether a request `r` matches: a condition for each part of the filter that is given. */
export const isAsked = (
  sql: SqlClient,
  { accountId, filter: { agentId, reference, scheduleId, taskId } }: Facts
): Fragment =>
  sql.and([
    sql`r.account_id = ${uuid(accountId)}`,
    ...(taskId === null ? [] : [sql`r.task_id = ${uuid(taskId)}`]),
    ...(agentId === null ? [] : [sql`r.agent_id = ${uuid(agentId)}`]),
    ...(reference === null ? [] : [sql`r.reference = ${text(reference)}`]),
    ...(scheduleId === null ? [] : [sql`r.schedule_id = ${uuid(scheduleId)}`])
  ])

const isExecutionId = Schema.is(ExecutionId)

const ofAccount = "r.account_id = asked.account_id"

const ofSchedule = "r.schedule_id = asked.schedule_id AND r.schedule_id IS NOT NULL"

const isNumbered = (number: (row: string) => string): string => `${number("r")} = ${number("asked")}`

const ofBoth = isNumbered(ListNumbers.ofAgentAndTask)

/** Without a reference, an execution is found by its id. */
const byReference = (sql: SqlClient, asked: RequestsQuery, reference: string): Fragment => {
  const isReferred = "r.reference = asked.reference"
  const idsBy = (indexed: string) => byRequest(sql, asked, { indexed, columns: "r.id" })
  const given = idsBy(`${ofAccount} AND ${isReferred} AND ${ListNumbers.isReferenceGiven("r")}`)
  return isExecutionId(reference)
    ? sql`${given} UNION ALL ${idsBy(`r.bucket = asked.bucket AND r.id = asked.reference::uuid AND ${isReferred}`)}`
    : given
}

/** By facts that never change, in an index of the requests. */
const byRequest = (
  sql: SqlClient,
  asked: RequestsQuery,
  { columns, indexed }: { readonly indexed: string; readonly columns: "r.*" | "r.id" }
): Fragment => sql`
  SELECT ${sql.literal(columns)}
  FROM (${listed(sql, asked)}) AS asked
  JOIN execution_requests r ON ${sql.literal(indexed)} AND ${asked.within("r")}
  WHERE ${isOnPage(sql, "r.id", asked)}`

/**
 * By the lists of statuses. Running executions are listed as queued: without `queued` in the filter, they are found
 * by their slots.
 */
const byStatus = (
  sql: SqlClient,
  asked: RequestsQuery,
  statuses: ReadonlyArray<ExecutionStatus>
): Fragment => {
  if (statuses.includes("queued") || !statuses.includes("running")) return byLists(sql, asked, statuses)
  const others = statuses.filter((status) => status !== "running")
  return others.length === 0
    ? bySlots(sql, asked)
    : sql`${byLists(sql, asked, others)} UNION ALL ${bySlots(sql, asked)}`
}

/** A page of each list, so that no more than that is sorted. */
const byLists = (
  sql: SqlClient,
  asked: RequestsQuery,
  statuses: ReadonlyArray<ExecutionStatus>
): Fragment => {
  const { bucket, filter, page } = asked
  const { agentId, taskId } = filter
  const number =
    agentId !== null ? ListNumbers.ofAgent : taskId !== null ? ListNumbers.ofTask : ListNumbers.ofStatus
  const isMixed = statuses.includes("queued") && !statuses.includes("running")
  return sql`
    SELECT r.execution_id AS id
    FROM (${listed(sql, asked)}, unnest(${texts(listsOf(statuses))}) AS status) AS asked
    CROSS JOIN LATERAL (
      SELECT r.execution_id
      FROM execution_status r
      ${isMixed ? inStatus(sql, { bucket, id: "r.execution_id", statuses }) : sql``}
      WHERE ${sql.literal(isNumbered(number))} AND ${asked.within("r")} AND ${isOnPage(sql, "r.execution_id", asked)}
        ${agentId !== null && taskId !== null ? sql`AND r.task_id = asked.task_id` : sql``}
      ORDER BY r.execution_id DESC
      LIMIT ${integer(oneMore(page))}
    ) AS r`
}

const bySlots = (sql: SqlClient, asked: RequestsQuery): Fragment => {
  const { bucket, page } = asked
  return sql`
    SELECT found.id
    FROM (
      SELECT r.id
      FROM (
        SELECT s.execution_id
        FROM (${heldBy(sql, asked)}) AS s
        WHERE ${isOnPage(sql, "s.execution_id", asked)}
        ORDER BY s.execution_id DESC
      ) AS held
      ${inStatus(sql, { bucket, id: "held.execution_id", statuses: ["running"] })}
      CROSS JOIN LATERAL (
        SELECT * FROM execution_requests r WHERE r.bucket = ${smallint(bucket)} AND r.id = held.execution_id LIMIT 1
      ) AS r
      WHERE ${isAsked(sql, asked)}
      ORDER BY held.execution_id DESC
      LIMIT ${integer(oneMore(page))}
    ) AS found`
}

/** The filter as a row with the columns that indexes have. */
const listed = (sql: SqlClient, { accountId, bucket, filter }: RequestsQuery): Fragment => sql`
  SELECT ${smallint(bucket)} AS bucket, ${uuid(accountId)} AS account_id, ${uuid(filter.agentId)} AS agent_id,
    ${uuid(filter.taskId)} AS task_id, ${text(filter.reference)} AS reference,
    ${uuid(filter.scheduleId)} AS schedule_id`

/** Ids carry the moment of creation, so the walk of an index begins and ends with the page. */
const isOnPage = (sql: SqlClient, id: string, { filter, page }: RequestsQuery): Fragment =>
  sql`${behind(sql, id, page)} AND ${within(sql, id, filter)}`
