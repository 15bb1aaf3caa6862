/** The moves of a question, as `core/domain/Asking` has them. Only the last of the questions can be open. */
import { InputRequest } from "@runhook/core/domain/InputRequest"
import type { Json } from "@runhook/core/domain/Json"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Moments } from "../clock/StoreClock.ts"
import { entering, lettingGo, stopping } from "./Assignments.ts"
import { jsonOf, type Step } from "./Frame.ts"
import { isHeld } from "./Leasing.ts"

const inputJson = Schema.encodeSync(Schema.fromJsonString(Schema.toCodecJson(InputRequest)))

export const ask = (
  sql: SqlClient,
  {
    epoch,
    input,
    moments
  }: { readonly epoch: number; readonly input: InputRequest; readonly moments: Moments }
): Step => {
  const expiresAt = moments.after(DateTime.distance(input.askedAt, input.expiresAt))
  const asked = sql`
    jsonb_set(
      jsonb_set(${inputJson(input)}::jsonb, '{askedAt}', b.moved_json), '{expiresAt}', ${jsonOf(sql, expiresAt)}
    )`
  const letGo = input.mode === "release" ? sql`, ${lettingGo(sql)}` : sql``
  return {
    moments,
    condition: sql`
      ${isHeld(sql, epoch)} AND e.status = 'running' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(e.inputs) AS asked (input)
        WHERE input ->> 'key' = ${input.key}::text AND (input ->> 'askedAt')::timestamptz >= e.started_at
      )`,
    assignments: sql`
      ${entering(sql, "awaiting_input")}, inputs = b.inputs || ${asked}, input_expires_at = ${expiresAt}${letGo}`
  }
}

/** Answers the open question: work that held on goes on, work that let go is queued. */
export const answer = (
  sql: SqlClient,
  { inputId, moments, value }: { readonly inputId: string; readonly value: Json; readonly moments: Moments }
): ReadonlyArray<Step> =>
  resuming(sql, {
    moments,
    condition: sql`e.status = 'awaiting_input' AND e.inputs -> -1 ->> 'id' = ${inputId}::text`,
    value: sql`${JSON.stringify(value)}::jsonb`
  })

/** What the runner said should happen when nobody answers, happens. */
export const expireInput = (sql: SqlClient, moments: Moments): ReadonlyArray<Step> => {
  const on = (timeout: InputRequest["onTimeout"]) => sql`
    e.status = 'awaiting_input' AND e.input_expires_at <= ${moments.now}
    AND e.inputs -> -1 ->> 'onTimeout' = ${timeout}::text`
  const message = sql`'input "' || (b.inputs -> -1 ->> 'key') || '" was not answered in time'`
  return [
    ...resuming(sql, { moments, condition: on("default"), value: sql`b.inputs -> -1 -> 'defaultValue'` }),
    {
      moments,
      condition: on("error"),
      assignments: sql`${stopping(sql, "error")}, error_message = ${message}`
    },
    {
      moments,
      condition: on("cancel"),
      assignments: sql`${stopping(sql, "cancelled")}, status_reason = ${message}`
    }
  ]
}

const resuming = (
  sql: SqlClient,
  {
    condition,
    moments,
    value
  }: { readonly moments: Moments; readonly condition: Fragment; readonly value: Fragment }
): ReadonlyArray<Step> => {
  const answered = sql`
    inputs = jsonb_set(
      jsonb_set(b.inputs, '{-1,value}', ${value}),
      '{-1,answeredAt}',
      b.moved_json
    ),
    input_expires_at = NULL`
  return [
    {
      moments,
      condition: sql`${condition} AND e.slot IS NOT NULL`,
      // Waiting for an answer does not count as running.
      assignments: sql`
        ${entering(sql, "running")}, ${answered},
        deadline_at = b.deadline_at + (b.moved_at - (b.inputs -> -1 ->> 'askedAt')::timestamptz)`
    },
    {
      moments,
      condition: sql`${condition} AND e.slot IS NULL`,
      assignments: sql`
        ${entering(sql, "queued")}, ${answered}, due_at = ${moments.now}, attempt_epoch = NULL`
    }
  ]
}
