/**
 * The one statement in which an execution moves. A verb says when it may and
 * what is assigned to it; the frame locks it, and stores together with the
 * change all that follows from it: the place in the queue, the slot, the
 * status for lists, the event, the callback and its place in the queue of
 * deliveries, the room under the limits.
 *
 * A lock may have been waited for. Then the locked row is newer than the rest
 * of what the statement sees, and its row in a queue may be out of sight: the
 * execution does not move then, and the verb is tried again.
 */
import { type AccountId, type EventId, type ExecutionId, SessionId } from "@runhook/core/domain/Ids"
import type { JsonObject } from "@runhook/core/domain/Json"
import { textBytes } from "@runhook/core/domain/JsonBytes"
import type { Change } from "@runhook/core/domain/Run"
import { ExecutionEventType } from "@runhook/core/domain/WebhookEventType"
import { deliveryLifetime } from "@runhook/core/domain/Delivery"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Moments } from "../clock/StoreClock.ts"
import { entersQueue } from "../deliveries/Entering.ts"
import { runColumns, runOf, RunRow } from "../rows/RunRow.ts"
import { listedAsSql } from "../listing/ListedStatus.ts"

/** What a verb does to an execution that its condition holds for. */
export interface Step {
  readonly moments: Moments
  /** Of an execution `e` and its request `r`. */
  readonly condition: Fragment
  /** The columns of `e` that change, from the locked row `b`; `b.moved_at` is now, and not before the move before. */
  readonly assignments: Fragment
  /** What the work produced, when it completed. */
  readonly result?: JsonObject | null
  /** What of the request `r` changes with it. */
  readonly request?: Fragment
}

/** The execution that may move, and the id of the event that this may cause. */
export interface Target {
  readonly bucket: number
  readonly accountId: AccountId
  readonly id: ExecutionId
  readonly eventId: EventId
}

/** What to do about an execution that others hold locked: the verb of a caller waits, a sweep comes again. */
export type Locked = "wait" | "skip"

export const ChangeRow = Schema.Struct({
  ...RunRow.fields,
  event: Schema.NullOr(ExecutionEventType),
  releasedFrom: Schema.NullOr(SessionId)
})

export const changeOf = (
  { event, releasedFrom, ...row }: typeof ChangeRow.Type,
  { eventId }: Target
): Change => ({
  run: runOf(row),
  changed: true,
  event,
  deliveryId: event === null ? undefined : eventId,
  releasedFrom
})

/** What the change of a row `a` is called, as `core/domain/HistoryEvent` has it. */
const happening = `
  CASE
    WHEN a.status = a.status_before AND a.slot IS NULL AND a.slot_before IS NOT NULL THEN 'given_back'
    WHEN a.status = a.status_before THEN 'rescheduled'
    WHEN a.status = 'queued' AND a.status_before = 'pending' THEN 'released'
    WHEN a.status = 'queued' AND a.epoch = a.epoch_before THEN 'input_answered'
    WHEN a.status = 'queued' THEN 'requeued'
    WHEN a.status = 'running' AND a.status_before = 'queued' THEN 'started'
    WHEN a.status = 'running' THEN 'input_answered'
    WHEN a.status = 'awaiting_input' THEN 'input_requested'
    WHEN a.status = 'error' THEN 'failed'
    ELSE a.status
  END`

/** A moment as JSON has it. */
export const jsonOf = (sql: SqlClient, moment: Fragment): Fragment =>
  sql`to_jsonb(to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/**
 * Moves an execution by one step, if its condition holds; answers a `ChangeRow`
 * then. All rows are found by whole keys of values that are known when the
 * statement begins to look, so that no plan can go astray.
 */
export const moveStatement = (
  sql: SqlClient,
  options: {
    readonly target: Target
    readonly step: Step
    readonly locked: Locked
  }
) => {
  const { locked, step, target } = options
  const { accountId, bucket, eventId, id } = target
  const { assignments, condition, moments, request, result } = step
  const { now } = moments
  const movedAt = sql`greatest(${now}, e.updated_at)`
  const asked =
    request === undefined
      ? sql``
      : sql`,
    asked AS (
      UPDATE execution_requests r
      SET ${request}
      WHERE r.bucket = ${bucket}::smallint AND r.id = ${id}::uuid AND EXISTS (SELECT FROM after)
      RETURNING r.*
    )`
  const json = result === undefined || result === null ? null : JSON.stringify(result)
  return sql`
    WITH before AS (
      SELECT e.*, r.scheduled_at, r.timeout_seconds, r.callback_url, r.callback_events, r.request_id, r.reference,
        e.status = 'queued' AND e.slot IS NULL AS is_waiting,
        ${movedAt} AS moved_at, ${jsonOf(sql, movedAt)} AS moved_json
      FROM executions e
      JOIN execution_requests r ON r.bucket = ${bucket}::smallint AND r.id = ${id}::uuid
      WHERE e.bucket = ${bucket}::smallint AND e.id = ${id}::uuid AND e.account_id = ${accountId}::uuid
        AND (${condition})
      FOR UPDATE OF e ${sql.literal(locked === "skip" ? "SKIP LOCKED" : "")}
    ),
    left_ready AS (
      DELETE FROM ready_queue q
      WHERE q.bucket = ${bucket}::smallint AND q.agent_id = (SELECT agent_id FROM before WHERE is_waiting)
        AND q.rank = (SELECT -priority FROM before) AND q.due_at = (SELECT due_at FROM before)
        AND q.execution_id = ${id}::uuid
      RETURNING q.execution_id
    ),
    left_delayed AS (
      DELETE FROM delayed_queue q
      WHERE q.bucket = ${bucket}::smallint AND q.agent_id = (SELECT agent_id FROM before WHERE is_waiting)
        AND q.due_at = (SELECT due_at FROM before) AND q.execution_id = ${id}::uuid
      RETURNING q.execution_id
    ),
    after AS (
      UPDATE executions e
      SET revision = b.revision + 1, updated_at = b.moved_at, ${assignments}
      FROM before b
      WHERE e.bucket = ${bucket}::smallint AND e.id = ${id}::uuid
        AND (NOT b.is_waiting OR EXISTS (SELECT FROM left_ready) OR EXISTS (SELECT FROM left_delayed))
      RETURNING e.*, b.status AS status_before, b.slot AS slot_before, b.session_id AS session_before,
        b.epoch AS epoch_before,
        cardinality(e.announced) > cardinality(b.announced) AS is_announced,
        b.callback_url, b.callback_events, b.request_id, b.reference
    ),
    freed AS (
      UPDATE agent_slots s
      SET execution_id = NULL, session_id = NULL
      WHERE s.bucket = ${bucket}::smallint AND s.agent_id = (SELECT agent_id FROM after WHERE slot IS NULL)
        AND s.slot = (SELECT slot_before FROM after)
    ),
    entered_ready AS (
      INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
      SELECT ${bucket}::smallint, agent_id, -priority, due_at, id
      FROM after
      WHERE status = 'queued' AND slot IS NULL AND due_at <= ${now}
    ),
    entered_delayed AS (
      INSERT INTO delayed_queue (bucket, agent_id, rank, due_at, execution_id)
      SELECT ${bucket}::smallint, agent_id, -priority, due_at, id
      FROM after
      WHERE status = 'queued' AND slot IS NULL AND due_at > ${now}
    ),
    listed AS (
      UPDATE execution_status s
      SET status = a.listed
      FROM (
        SELECT ${sql.literal(listedAsSql("status"))} AS listed, ${sql.literal(listedAsSql("status_before"))} AS was
        FROM after
      ) a
      WHERE a.listed <> a.was AND s.bucket = ${bucket}::smallint AND s.execution_id = ${id}::uuid
    ),
    released AS (
      INSERT INTO live_releases (bucket, account_id, execution_id, api_key_id)
      SELECT ${bucket}::smallint, account_id, id, api_key_id
      FROM after
      WHERE stopped_at IS NOT NULL
    ),
    resulted AS (
      INSERT INTO execution_results (bucket, execution_id, result, bytes)
      SELECT ${bucket}::smallint, id, ${json}::json, ${json === null ? null : textBytes(json)}::integer
      FROM after
      WHERE ${json}::json IS NOT NULL
    ),
    happened AS (
      INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
      SELECT ${bucket}::smallint, id, revision, status, epoch, updated_at, ${sql.literal(happening)}, attempt
      FROM after a
    ),
    told AS (
      INSERT INTO webhook_deliveries (
        bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference,
        execution_status, execution_started_at, execution_stopped_at,
        state, attempts, round, next_attempt_at, expires_at, created_at
      )
      SELECT ${bucket}::smallint, account_id, ${eventId}::uuid, api_key_id, id, revision, announced[cardinality(announced)],
        callback_url, request_id, reference, status, started_at, stopped_at,
        'pending', 0, 1, ${now}, ${moments.after(deliveryLifetime)}, updated_at
      FROM after
      WHERE is_announced AND callback_url IS NOT NULL
        AND (callback_events IS NULL OR announced[cardinality(announced)] = ANY (callback_events))
      RETURNING *
    ),
    telling AS (${entersQueue(sql, "told")})${asked}
    SELECT ${sql.literal(runColumns("a"))}, ${json}::json AS result, (SELECT type FROM told) AS event,
      CASE WHEN a.slot IS NULL THEN a.session_before END AS "releasedFrom"
    FROM after a
    JOIN ${sql.literal(request === undefined ? "execution_requests" : "asked")} r
      ON r.bucket = ${bucket}::smallint AND r.id = ${id}::uuid`
}
