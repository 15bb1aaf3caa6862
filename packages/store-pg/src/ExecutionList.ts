/** Lists of executions: their ids by one index that all parts of the filter are in, then their rows. */
import { ExecutionStatus } from "@runhook/core/domain/ExecutionStatus"
import type { AccountId } from "@runhook/core/domain/Ids"
import type { PageRequest } from "@runhook/core/domain/Page"
import type { ExecutionFilter } from "@runhook/core/ports/ExecutionStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "./Buckets.ts"
import { decoded } from "./Outcomes.ts"
import { behind, oneMore, pageWithin, withinBytes } from "./Paging.ts"
import { happenedTo, resultOf } from "./rows/Lookups.ts"
import { executionOf, ListedRow, runColumns } from "./rows/RunRow.ts"

/** Of the questions of an execution `e`, the one that it waits on: the others are not shown. */
const openInput = `CASE WHEN e.status = 'awaiting_input' THEN jsonb_build_array(e.inputs -> -1) ELSE '[]' END`

/** What an execution counts on a page, measured only where it was not when it was stored. */
const bytes = `
  coalesce(r.bytes, octet_length(r.metadata::text) + octet_length(r.params::text))
    + CASE WHEN x.result IS NULL THEN 0 ELSE coalesce(x.bytes, octet_length(x.result::text)) END
    + CASE WHEN e.status = 'awaiting_input' THEN octet_length((e.inputs -> -1)::text) ELSE 0 END`

export const makeExecutionList = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  /** One condition for each part of the filter that is given: a statement per combination, each of a fixed text. */
  const wanted = ({ agentId, reference, taskId }: ExecutionFilter) =>
    sql.and([
      ...(taskId === null ? [] : [sql`r.task_id = ${taskId}::uuid`]),
      ...(agentId === null ? [] : [sql`r.agent_id = ${agentId}::uuid`]),
      ...(reference === null ? [] : [sql`r.reference = ${reference}::text`])
    ])

  /** Ids carry the moment of creation, so the index that is walked begins and ends where the filter does. */
  const within = (id: string, { from, to }: ExecutionFilter) =>
    sql.and([
      ...(from === null ? [] : [sql`${sql.literal(id)} >= ${firstIdOf(from)}::uuid`]),
      ...(to === null ? [] : [sql`${sql.literal(id)} <= ${lastIdOf(to)}::uuid`])
    ])

  /** The page's ids by what was asked for, where no status or a reference narrows it down. */
  const byRequest = (accountId: AccountId, filter: ExecutionFilter, page: PageRequest) => sql`
    SELECT r.id
    FROM execution_requests r
    WHERE r.account_id = ${accountId}::uuid AND ${behind(sql, "r.id", page)}
      AND ${within("r.id", filter)} AND ${wanted(filter)}`

  /** The page's ids in each of the statuses, so that no more than that has to be put in order. */
  const byStatus = (accountId: AccountId, filter: ExecutionFilter, page: PageRequest) => sql`
    SELECT r.execution_id AS id
    FROM (SELECT DISTINCT unnest(${filter.statuses ?? ExecutionStatus.literals}::text[]) AS status) AS asked
    CROSS JOIN LATERAL (
      SELECT r.execution_id
      FROM execution_status r
      WHERE r.account_id = ${accountId}::uuid AND r.status = asked.status
        AND ${behind(sql, "r.execution_id", page)} AND ${within("r.execution_id", filter)} AND ${wanted(filter)}
      ORDER BY r.execution_id DESC
      LIMIT ${oneMore(page)}::integer
    ) AS r`

  const request = (bucket: number) => sql`
    CROSS JOIN LATERAL (
      SELECT * FROM execution_requests r WHERE r.bucket = ${bucket}::smallint AND r.id = found.id LIMIT 1
    ) AS r`

  return Effect.fnUntraced(function* (accountId: AccountId, filter: ExecutionFilter, page: PageRequest) {
    const bucket = yield* buckets.of(accountId)
    const { statuses } = filter
    const ids = isByRequest(filter) ? byRequest : byStatus
    const found = sql`
      SELECT ${sql.literal(runColumns("e", openInput))}, x.result, ${sql.literal(bytes)} AS bytes
      FROM (${ids(accountId, filter, page)}) AS found
      ${request(bucket)}
      ${happenedTo(sql, bucket)}
      ${resultOf(sql, bucket, "r")}
      WHERE ${statuses}::text[] IS NULL OR e.status = ANY (${statuses}::text[])
      ORDER BY found.id DESC
      LIMIT ${oneMore(page)}::integer`
    const rows = yield* decoded(ListedRow)(withinBytes(sql, found, page))
    const { hasMore, items } = pageWithin(rows, page)
    return { items: items.map(executionOf), hasMore }
  })
})

/**
 * Whether a list walks what was asked for: a reference is of few executions,
 * and so it is checked for the rest. All else has an index with the status.
 */
const isByRequest = ({ agentId, reference, statuses, taskId }: ExecutionFilter): boolean =>
  reference !== null || (statuses === null && (agentId === null) === (taskId === null))

/** The time of an id, as its first twelve digits. */
const timeOf = (at: DateTime.Utc): string => {
  const digits = Math.max(0, at.epochMilliseconds).toString(16).padStart(12, "0")
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** Not behind any id that was made at that moment. */
const firstIdOf = (at: DateTime.Utc): string => `${timeOf(at)}-0000-0000-000000000000`

/** Not before any id that was made at that moment. */
const lastIdOf = (at: DateTime.Utc): string => `${timeOf(at)}-ffff-ffff-ffffffffffff`
