/** The moves of a question, as `core/domain/Asking` has them. Only the last of the questions can be open. */
import { InputRequest } from "@runhook/core/domain/InputRequest"
import type { Json } from "@runhook/core/domain/Json"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { instant } from "../Instants.ts"
import { entering, lettingGo, stopping } from "./Assignments.ts"
import type { Step } from "./Frame.ts"
import { isHeld } from "./Leasing.ts"

const inputJson = Schema.encodeSync(Schema.fromJsonString(Schema.toCodecJson(InputRequest)))

export const ask = (
  sql: SqlClient,
  { at, epoch, input }: { readonly epoch: number; readonly input: InputRequest; readonly at: DateTime.Utc }
): Step => {
  const letGo = input.mode === "release" ? sql`, ${lettingGo(sql)}` : sql``
  return {
    at,
    condition: sql`
      ${isHeld(sql, epoch)} AND e.status = 'running' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(e.inputs) AS asked (input)
        WHERE input ->> 'key' = ${input.key}::text AND (input ->> 'askedAt')::timestamptz >= e.started_at
      )`,
    assignments: sql`
      ${entering(sql, "awaiting_input", at)}, inputs = b.inputs || ${inputJson(input)}::jsonb,
      input_expires_at = ${instant(input.expiresAt)}::timestamptz${letGo}`
  }
}

/** Answers the open question: work that held on goes on, work that let go is queued. */
export const answer = (
  sql: SqlClient,
  { at, inputId, value }: { readonly inputId: string; readonly value: Json; readonly at: DateTime.Utc }
): ReadonlyArray<Step> =>
  resuming(sql, {
    at,
    condition: sql`e.status = 'awaiting_input' AND e.inputs -> -1 ->> 'id' = ${inputId}::text`,
    value: sql`${JSON.stringify(value)}::jsonb`
  })

/** What the runner said should happen when nobody answers, happens. */
export const expireInput = (sql: SqlClient, at: DateTime.Utc): ReadonlyArray<Step> => {
  const on = (timeout: InputRequest["onTimeout"]) => sql`
    e.status = 'awaiting_input' AND e.input_expires_at <= ${instant(at)}::timestamptz
    AND e.inputs -> -1 ->> 'onTimeout' = ${timeout}::text`
  const message = sql`'input "' || (b.inputs -> -1 ->> 'key') || '" was not answered in time'`
  return [
    ...resuming(sql, { at, condition: on("default"), value: sql`b.inputs -> -1 -> 'defaultValue'` }),
    {
      at,
      condition: on("error"),
      assignments: sql`${stopping(sql, "error", at)}, error_message = ${message}`
    },
    {
      at,
      condition: on("cancel"),
      assignments: sql`${stopping(sql, "cancelled", at)}, status_reason = ${message}`
    }
  ]
}

const resuming = (
  sql: SqlClient,
  {
    at,
    condition,
    value
  }: { readonly at: DateTime.Utc; readonly condition: Fragment; readonly value: Fragment }
): ReadonlyArray<Step> => {
  const answered = sql`
    inputs = jsonb_set(
      jsonb_set(b.inputs, '{-1,value}', ${value}),
      '{-1,answeredAt}',
      to_jsonb(${DateTime.formatIso(at)}::text)
    ),
    input_expires_at = NULL`
  return [
    {
      at,
      condition: sql`${condition} AND e.slot IS NOT NULL`,
      // Waiting for an answer does not count as running.
      assignments: sql`
        ${entering(sql, "running", at)}, ${answered},
        deadline_at = b.deadline_at + (${instant(at)}::timestamptz - (b.inputs -> -1 ->> 'askedAt')::timestamptz)`
    },
    {
      at,
      condition: sql`${condition} AND e.slot IS NULL`,
      assignments: sql`
        ${entering(sql, "queued", at)}, ${answered}, due_at = ${instant(at)}::timestamptz, attempt_epoch = NULL`
    }
  ]
}
