/** Lists executions: finds their requests first, then joins what happened to them. */
import { ListedExecution } from "@runhook/core/executions/Execution"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { PageRequest } from "@runhook/core/shared/Page"
import { InputRequest } from "@runhook/core/runs/InputRequest"
import type { ExecutionFilter } from "@runhook/core/executions/ExecutionStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Struct from "effect/Struct"
import { Buckets } from "../../accounts/Buckets.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { both, rowTable } from "../../rows/RowTable.ts"
import { happenedTo, resultOf } from "../../sql/Lookups.ts"
import { foundField, oneMore, pageWithin, withinBytes } from "../../sql/Paging.ts"
import { integer, texts } from "../../sql/Parameters.ts"
import { ofExecution } from "../RunRow.ts"
import { found, isAsked } from "./FindRequests.ts"

const ListedRow = Schema.Struct({
  ...ListedExecution.fields,
  inputRequest: Schema.NullOr(Schema.toCodecJson(InputRequest))
})

/** Rendered as text only for rows that fit on the page. */
const json = { metadata: "r.metadata", params: "r.params", result: "x.result" }

const columns = {
  ...Struct.pick(ofExecution, Struct.keys(Struct.omit(ListedExecution.fields, ["inputRequest"]))),
  ...json,
  // Only the last question can be open, and it is exactly while the execution is `awaiting_input`.
  inputRequest: "CASE WHEN e.status = 'awaiting_input' THEN e.inputs -> -1 END"
}

const unweighed = rowTable(columns, ListedRow)

/** The rows of a page, as found. */
const paged = { ...columns, found: "found" }
const listed = both(
  rowTable(paged, ListedRow),
  rowTable(paged, Schema.Struct(foundField)),
  (execution, page) => ({ execution, ...page })
)
const listedRows = rowsOf(listed)

/** The bytes of an execution on a page. */
const bytes = `
  r.bytes + coalesce(x.bytes, 0)
    + CASE WHEN e.status = 'awaiting_input' THEN octet_length((e.inputs -> -1)::text) ELSE 0 END`

export const makeListExecutions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  return Effect.fnUntraced(function* (accountId: AccountId, filter: ExecutionFilter, page: PageRequest) {
    const bucket = yield* buckets.of(accountId)
    const { statuses } = filter
    const asked = { bucket, within: buckets.within(bucket), accountId, filter, page }
    const { order, requests } = found(sql, asked)
    const rows = sql`
      SELECT ${sql.literal(unweighed.columns)}, ${sql.literal(bytes)} AS bytes
      FROM ${requests}
      ${happenedTo(sql, bucket)}
      ${resultOf(sql, bucket, "r")}
      WHERE ${isAsked(sql, asked)} AND (${texts(statuses)} IS NULL OR e.status = ANY (${texts(statuses)}))
      ORDER BY ${sql.literal(order)} DESC
      LIMIT ${integer(oneMore(page))}`
    const weighed = yield* listedRows(
      withinBytes(sql, { rows, names: listed.names, asText: Object.keys(json) }, page)
    )
    const { hasMore, items } = pageWithin(weighed, page)
    return { items: items.map(({ execution }) => execution), hasMore }
  })
})
