/** Lists of executions: by the indexes of what was asked for, or of the status when only that is. */
import type { AccountId } from "@runhook/core/domain/Ids"
import type { PageRequest } from "@runhook/core/domain/Page"
import type { ExecutionFilter } from "@runhook/core/ports/ExecutionStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "./Buckets.ts"
import { decoded } from "./Outcomes.ts"
import { behind, oneMore, pageOf } from "./Paging.ts"
import { executionOf, resultOf } from "./rows/Lookups.ts"
import { runColumns, runOf, RunRow } from "./rows/RunRow.ts"

export const makeExecutionList = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  const requestByStatus = (bucket: number) => sql`
    CROSS JOIN LATERAL (
      SELECT * FROM execution_requests r
      WHERE r.bucket = ${bucket}::smallint AND r.id = s.execution_id
      LIMIT 1
    ) AS r`

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

  /** Only the status is asked for: its own index leads. */
  const isByStatus = ({ agentId, reference, statuses, taskId }: ExecutionFilter): boolean =>
    statuses !== null && taskId === null && agentId === null && reference === null

  return Effect.fnUntraced(function* (accountId: AccountId, filter: ExecutionFilter, page: PageRequest) {
    const bucket = yield* buckets.of(accountId)
    const { statuses } = filter
    const found = isByStatus(filter)
      ? sql`
        FROM execution_status s
        ${requestByStatus(bucket)}
        ${executionOf(sql, bucket)}
        ${resultOf(sql, bucket, "r")}
        WHERE s.account_id = ${accountId}::uuid AND s.status = ANY (${statuses}::text[])
          AND ${behind(sql, "s.execution_id", page)} AND ${within("s.execution_id", filter)}
        ORDER BY s.execution_id DESC`
      : sql`
        FROM execution_requests r
        ${executionOf(sql, bucket)}
        ${resultOf(sql, bucket, "r")}
        WHERE r.account_id = ${accountId}::uuid AND ${behind(sql, "r.id", page)}
          AND ${within("r.id", filter)} AND ${wanted(filter)}
          AND (${statuses}::text[] IS NULL OR e.status = ANY (${statuses}::text[]))
        ORDER BY r.id DESC`
    const rows = yield* decoded(RunRow)(
      sql`SELECT ${sql.literal(runColumns("e"))}, x.result ${found} LIMIT ${oneMore(page)}::integer`
    )
    return pageOf(
      rows.map((row) => runOf(row).execution),
      page
    )
  })
})

/** The time of an id, as its first twelve digits. */
const timeOf = (at: DateTime.Utc): string => {
  const digits = Math.max(0, at.epochMilliseconds).toString(16).padStart(12, "0")
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** Not behind any id that was made at that moment. */
const firstIdOf = (at: DateTime.Utc): string => `${timeOf(at)}-0000-0000-000000000000`

/** Not before any id that was made at that moment. */
const lastIdOf = (at: DateTime.Utc): string => `${timeOf(at)}-ffff-ffff-ffffffffffff`
