/** Filters of deliveries as SQL conditions. */
import { type AnswerClass, lowestStatusOf } from "@runhook/core/deliveries/steps/AttemptCause"
import type { DeliveryFilter } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { within } from "../../sql/IdTimes.ts"
import { integer, text, texts, timestamptz, uuid } from "../../sql/Parameters.ts"
import { originOf } from "../queue/Origins.ts"

/** One condition on deliveries `d` for each part of the filter that is given, so a fixed text per combination. */
export const wanted = (sql: SqlClient, filter: DeliveryFilter): Fragment => {
  const { answer, apiKeyId, cause, endpointId, executionId, from, hidesQueries, origin, states, to, type } =
    filter
  const url = hidesQueries === true ? sql`split_part(d.url, '?', 1)` : sql`d.url`
  return sql.and([
    ...(states === null ? [] : [sql`d.state = ANY (${texts(states)})`]),
    ...(type === null ? [] : [sql`d.type = ${text(type)}`]),
    ...(apiKeyId === null ? [] : [sql`d.api_key_id = ${uuid(apiKeyId)}`]),
    ...(endpointId === null ? [] : [sql`d.endpoint_id = ${uuid(endpointId)}`]),
    ...(executionId === null ? [] : [sql`d.execution_id = ${uuid(executionId)}`]),
    ...(answer === null ? [] : [answered(sql, answer)]),
    ...(cause === null ? [] : [sql`d.last_cause = ${text(cause)}`]),
    ...(origin === null ? [] : [sql`${originOf(sql, "d.url")} = ${text(origin)}`]),
    ...(filter.text === null ? [] : [mentions(sql, filter.text.toLowerCase(), url)]),
    ...(from === null ? [] : [sql`d.created_at >= ${timestamptz(from)}`]),
    ...(to === null ? [] : [sql`d.created_at <= ${timestamptz(to)}`])
  ])
}

/** Rows are made within a moment of their ids. This is far more, so that an id finds every row that it has to. */
const idLead = Duration.seconds(10)

/** What a filter by time says of ids: all that match are within, so that an index is not read from its beginning. */
export const madeWithin = (
  sql: SqlClient,
  id: string,
  { from, to }: Pick<DeliveryFilter, "from" | "to">
): Fragment =>
  within(sql, id, {
    from: from && DateTime.subtractDuration(from, idLead),
    to: to && DateTime.addDuration(to, idLead)
  })

const answered = (sql: SqlClient, answer: AnswerClass): Fragment => {
  const lowest = lowestStatusOf(answer)
  return lowest === null
    ? sql`d.last_status IS NULL AND d.last_error IS NOT NULL`
    : sql`d.last_status >= ${integer(lowest)} AND d.last_status < ${integer(lowest + 100)}`
}

const mentions = (sql: SqlClient, mention: string, url: Fragment): Fragment => sql`(
  d.id::text = ${text(mention)} OR d.execution_id::text = ${text(mention)}
  OR position(${text(mention)} IN d.type) > 0 OR position(${text(mention)} IN lower(${url})) > 0
)`
