/** Lists of executions: their ids first, then their rows. */
import type { AccountId } from "@runhook/core/domain/Ids"
import type { PageRequest } from "@runhook/core/domain/Page"
import type { ExecutionFilter } from "@runhook/core/ports/ExecutionStore"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "./Buckets.ts"
import { idsOf, isAsked } from "./listing/ExecutionIds.ts"
import { decoded } from "./Outcomes.ts"
import { oneMore, pageWithin, withinBytes } from "./Paging.ts"
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

  const request = (bucket: number) => sql`
    CROSS JOIN LATERAL (
      SELECT * FROM execution_requests r WHERE r.bucket = ${bucket}::smallint AND r.id = found.id LIMIT 1
    ) AS r`

  return Effect.fnUntraced(function* (accountId: AccountId, filter: ExecutionFilter, page: PageRequest) {
    const bucket = yield* buckets.of(accountId)
    const { statuses } = filter
    const asked = { bucket, accountId, filter, page }
    const found = sql`
      SELECT ${sql.literal(runColumns("e", openInput))}, x.result, ${sql.literal(bytes)} AS bytes
      FROM (${idsOf(sql, asked)}) AS found
      ${request(bucket)}
      ${happenedTo(sql, bucket)}
      ${resultOf(sql, bucket, "r")}
      WHERE ${isAsked(sql, asked)} AND (${statuses}::text[] IS NULL OR e.status = ANY (${statuses}::text[]))
      ORDER BY found.id DESC
      LIMIT ${oneMore(page)}::integer`
    const rows = yield* decoded(ListedRow)(withinBytes(sql, found, page))
    const { hasMore, items } = pageWithin(rows, page)
    return { items: items.map(executionOf), hasMore }
  })
})
