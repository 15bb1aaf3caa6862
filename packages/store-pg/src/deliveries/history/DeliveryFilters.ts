/** Which deliveries are meant, as conditions in SQL. */
import { type AnswerClass, lowestStatusOf } from "@runhook/core/domain/delivery/AttemptCause"
import type { DeliveryFilter } from "@runhook/core/ports/DeliveryStore"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { instant } from "../../sql/Instants.ts"
import { originOf } from "../queue/Origins.ts"

/** Of deliveries `d`: one condition for each part of the filter that is given, so a statement per combination, each of a fixed text. */
export const wanted = (
  sql: SqlClient,
  { answer, apiKeyId, cause, executionId, from, origin, states, text, to, type }: DeliveryFilter
): Fragment =>
  sql.and([
    ...(states === null ? [] : [sql`d.state = ANY (${states}::text[])`]),
    ...(type === null ? [] : [sql`d.type = ${type}::text`]),
    ...(apiKeyId === null ? [] : [sql`d.api_key_id = ${apiKeyId}::uuid`]),
    ...(executionId === null ? [] : [sql`d.execution_id = ${executionId}::uuid`]),
    ...(answer === null ? [] : [answered(sql, answer)]),
    ...(cause === null ? [] : [sql`d.last_cause = ${cause}::text AND d.last_error IS NOT NULL`]),
    ...(origin === null ? [] : [sql`${originOf(sql, "d.url")} = ${origin}::text`]),
    ...(text === null ? [] : [mentions(sql, text.toLowerCase())]),
    ...(from === null ? [] : [sql`d.created_at >= ${instant(from)}::timestamptz`]),
    ...(to === null ? [] : [sql`d.created_at <= ${instant(to)}::timestamptz`])
  ])

const answered = (sql: SqlClient, answer: AnswerClass): Fragment => {
  const lowest = lowestStatusOf(answer)
  return lowest === null
    ? sql`d.last_status IS NULL AND d.last_error IS NOT NULL`
    : sql`d.last_status >= ${lowest}::integer AND d.last_status < ${lowest + 100}::integer`
}

const mentions = (sql: SqlClient, text: string): Fragment => sql`(
  d.id::text = ${text}::text OR d.execution_id::text = ${text}::text
  OR position(${text}::text IN d.type) > 0 OR position(${text}::text IN lower(d.url)) > 0
)`
