/**
 * What else is stored with a step: queues, slots, counts, results, callbacks,
 * the audit log. A statement contains only what its steps need.
 */
import { deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import type { Run } from "@runhook/core/domain/run/Run"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { auditColumns, auditInsert } from "../audit/AuditEntries.ts"
import { begunSql, outgoing, queuesOutgoing } from "../deliveries/queue/OutgoingEvents.ts"
import { listedAs } from "../executions/list/ListedStatus.ts"
import { InputsJson } from "../executions/RunRow.ts"
import { boolean, inBucket, integer, json, jsonb, text, timestamptz, uuid } from "../sql/Parameters.ts"
import type { Columns } from "../sql/Rows.ts"
import { type Fixed, fixed, type InBucket } from "../sql/Statement.ts"
import type { Step } from "./Move.ts"

export interface Consequence {
  readonly isOf: (step: Step) => boolean
  readonly columns: Columns<Step>
  /** What it assigns to `executions` e, from the step `n`. */
  readonly assigns?: string
  /** What comes before the change, of the steps `locked`. */
  readonly before?: Fixed<InBucket>
  /** On what the change of the step `n` depends beside its revision. */
  readonly requires?: string
  /** What comes with the change, of the steps that were stored, `after`. */
  readonly with?: Fixed<InBucket> | ((locked: Locked) => Fixed<InBucket>)
  /** Whether the event of a step that was stored, `after`, is begun already, and behind which other. */
  readonly begun?: { readonly isBegun: string; readonly behind: string }
}

/** What happens to a step whose run is locked: a group skips it, so that no step waits for the lock of another. */
export type Locked = "skip" | "wait"

/** Whether a run stands in one of the queues. */
const isQueued = ({ execution, lease }: Run): boolean => execution.status === "queued" && lease === null

const rankOf = ({ execution }: Run): number => -execution.priority

/**
 * Which queue a row is in depends on whether a claim has looked since it became
 * due. If it is in neither, a claim is moving it at this moment, and the step is
 * tried again. Such a step is alone in its statement, so that its keys are known
 * values and no plan goes astray in a long queue.
 */
const leavesQueue: Consequence = {
  isOf: ({ before }) => isQueued(before.run),
  columns: {
    rank_before: integer(({ before }) => rankOf(before.run)),
    due_before: timestamptz(({ before }) => before.run.dueAt)
  },
  before: fixed`
-- Its row in the queue of ready runs,
left_ready AS (
  DELETE FROM ready_queue q
  WHERE q.bucket = ${inBucket} AND q.agent_id = (SELECT agent_id FROM locked)
    AND q.rank = (SELECT rank_before FROM locked) AND q.due_at = (SELECT due_before FROM locked)
    AND q.execution_id = (SELECT id FROM locked)
  RETURNING q.execution_id
),
-- or in that of deferred ones.
left_delayed AS (
  DELETE FROM delayed_queue q
  WHERE q.bucket = ${inBucket} AND q.agent_id = (SELECT agent_id FROM locked)
    AND q.due_at = (SELECT due_before FROM locked) AND q.execution_id = (SELECT id FROM locked)
  RETURNING q.execution_id
)`,
  requires: "(EXISTS (SELECT FROM left_ready) OR EXISTS (SELECT FROM left_delayed))"
}

/** Whether a step must be the only one of its statement. */
export const isAlone = (step: Step): boolean => leavesQueue.isOf(step)

const entersQueue: Consequence = {
  isOf: ({ change }) => isQueued(change.run),
  columns: {
    is_queued: boolean(({ change }) => isQueued(change.run)),
    is_due: boolean(({ at, change }) => DateTime.isLessThanOrEqualTo(change.run.dueAt, at)),
    rank_after: integer(({ change }) => rankOf(change.run))
  },
  with: fixed`
-- What is due waits in the queue of ready runs,
entered_ready AS (
  INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
  SELECT ${inBucket}, agent_id, rank_after, due_at, id FROM after WHERE is_queued AND is_due
),
-- and what is not in that of deferred ones.
entered_delayed AS (
  INSERT INTO delayed_queue (bucket, agent_id, rank, due_at, execution_id)
  SELECT ${inBucket}, agent_id, rank_after, due_at, id FROM after WHERE is_queued AND NOT is_due
)`
}

const freedSlot = ({ before, change }: Step): number | null =>
  change.run.lease === null ? before.slot : null

const freesSlot: Consequence = {
  isOf: (step) => freedSlot(step) !== null,
  columns: { freed_slot: integer(freedSlot) },
  with: fixed`
-- The slots are free again. By arrays and not by a join, which may go through all slots of a bucket for each step.
freed AS (
  UPDATE agent_slots s
  SET execution_id = NULL, session_id = NULL
  WHERE s.bucket = ${inBucket}
    AND s.agent_id = ANY (ARRAY (SELECT DISTINCT agent_id FROM after WHERE freed_slot IS NOT NULL))
    AND s.slot = ANY (ARRAY (SELECT DISTINCT freed_slot FROM after WHERE freed_slot IS NOT NULL))
    AND s.execution_id = ANY (ARRAY (SELECT id FROM after WHERE freed_slot IS NOT NULL))
)`
}

/** The status under which the run is listed from now on; null when that stays as it is. */
const listedAnew = ({ before, change }: Step): string | null => {
  const listed = listedAs(change.run.execution.status)
  return listed === listedAs(before.run.execution.status) ? null : listed
}

const isListedAnew: Consequence = {
  isOf: (step) => listedAnew(step) !== null,
  columns: { listed_as: text(listedAnew) },
  with: fixed`
-- The list under which it is found from now on.
listed AS (
  UPDATE execution_status s
  SET status = n.listed_as
  FROM after n
  WHERE s.bucket = ${inBucket}
    AND s.execution_id = ANY (ARRAY (SELECT id FROM after WHERE listed_as IS NOT NULL))
    AND s.execution_id = n.id
)`
}

const notedEnds = (where: string) => fixed`
-- A note of each end, which the next create takes off the count.
released AS (
  INSERT INTO live_releases (bucket, account_id, execution_id, api_key_id)
  SELECT ${inBucket}, account_id, id, api_key_id FROM after n WHERE ${where}
)`

/**
 * Lowers the counts of unfinished executions where no create has them locked;
 * otherwise leaves a note of each end, which the next create subtracts. A
 * transaction of the caller may keep its locks for long, so it only leaves notes.
 */
const ends: Consequence = {
  isOf: ({ change }) => change.run.execution.stoppedAt !== null,
  columns: { api_key_id: uuid(({ change }) => change.run.execution.apiKeyId) },
  with: (locked) =>
    locked === "wait"
      ? notedEnds("stopped_at IS NOT NULL")
      : fixed`
-- How many ended for each key.
ended AS (
  SELECT account_id, api_key_id, count(*)::integer AS executions
  FROM after
  WHERE stopped_at IS NOT NULL
  GROUP BY account_id, api_key_id
),
-- Those whose count nobody has locked.
counted AS (
  SELECT n.*
  FROM ended n
  CROSS JOIN LATERAL (
    SELECT c.api_key_id
    FROM live_counts c
    WHERE c.bucket = ${inBucket} AND c.account_id = n.account_id AND c.api_key_id = n.api_key_id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  ) AS c
),
-- Their counts, lowered at once.
lowered AS (
  UPDATE live_counts c
  SET live = c.live - n.executions
  FROM counted n
  WHERE c.bucket = ${inBucket} AND c.account_id = n.account_id AND c.api_key_id = n.api_key_id
),${notedEnds("stopped_at IS NOT NULL AND NOT EXISTS (SELECT FROM counted c WHERE c.api_key_id = n.api_key_id)")}`
}

const resultOf = ({ change }: Step) => change.run.execution.result

const hasResult: Consequence = {
  isOf: (step) => resultOf(step) !== null,
  columns: {
    result: json((step) => resultOf(step)?.text ?? null),
    result_bytes: integer((step) => resultOf(step)?.bytes ?? null)
  },
  with: fixed`
-- The results.
resulted AS (
  INSERT INTO execution_results (bucket, execution_id, result, bytes)
  SELECT ${inBucket}, id, result, result_bytes FROM after WHERE result IS NOT NULL
)`
}

const encodeInputs = Schema.encodeSync(Schema.fromJsonString(InputsJson))

const changesInputs: Consequence = {
  isOf: ({ before, change }) => before.run.inputs !== change.run.inputs,
  columns: {
    inputs: jsonb(({ before, change }) =>
      before.run.inputs === change.run.inputs ? null : encodeInputs(change.run.inputs)
    )
  },
  assigns: "inputs = coalesce(n.inputs, e.inputs)"
}

const isRescheduled = ({ before, change }: Step): boolean => {
  const [was, is] = [before.run.execution, change.run.execution]
  return was.priority !== is.priority || was.scheduledAt !== is.scheduledAt || was.expiresAt !== is.expiresAt
}

const changesRequest: Consequence = {
  isOf: isRescheduled,
  columns: {
    is_rescheduled: boolean(isRescheduled),
    priority: integer(({ change }) => change.run.execution.priority),
    scheduled_at: timestamptz(({ change }) => change.run.execution.scheduledAt),
    expires_at: timestamptz(({ change }) => change.run.execution.expiresAt)
  },
  assigns: "priority = n.priority",
  with: fixed`
-- The requests, with what callers have changed about them.
rescheduled AS (
  UPDATE execution_requests r
  SET priority = n.priority, scheduled_at = n.scheduled_at, expires_at = n.expires_at
  FROM after n
  WHERE r.bucket = ${inBucket} AND r.id = ANY (ARRAY (SELECT id FROM after WHERE is_rescheduled))
    AND r.id = n.id
)`
}

const begun = begunSql("told_at")

const tells: Consequence = {
  isOf: ({ change }) => change.event !== null,
  columns: {
    event_id: uuid(({ change }) => change.deliveryId ?? null),
    event: text(({ change }) => change.event),
    api_key_id: uuid(({ change }) => change.run.execution.apiKeyId),
    callback_url: text(({ change }) => change.run.execution.callbackUrl),
    request_id: text(({ change }) => change.run.execution.requestId),
    reference: text(({ change }) => change.run.execution.reference),
    told_at: timestamptz(({ at }) => at),
    told_until: timestamptz(({ at }) => DateTime.addDuration(at, deliveryLifetime)),
    begun_until: timestamptz(({ at, place }) => (place ? DateTime.addDuration(at, place.lease) : null)),
    dispatcher_id: uuid(({ place }) => place?.dispatcher ?? null)
  },
  with: fixed`${outgoing({ from: "after", at: "told_at", events: "any" })},
-- The callbacks, as deliveries,
told AS (
  INSERT INTO webhook_deliveries (
    bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference,
    execution_status, execution_started_at, execution_stopped_at,
    state, attempts, attempted_at, round, next_attempt_at, expires_at, created_at
  )
  SELECT ${inBucket}, account_id, event_id, api_key_id, id, revision + 1, event, callback_url, request_id,
    nullif(reference, id::text), status, started_at, stopped_at, 'pending', ${begun.attempts}, ${begun.attemptedAt}, 1,
    ${begun.dueAt}, told_until, updated_at
  FROM outgoing
),
-- and in the queue, or with the dispatcher that has kept a place.
telling AS (${queuesOutgoing("told_at")}
)`,
  begun: {
    isBegun: "id IN (SELECT id FROM outgoing WHERE is_begun)",
    behind: "(SELECT o.behind FROM outgoing o WHERE o.id = after.id)"
  }
}

const isAudited: Consequence = {
  isOf: ({ audit }) => audit !== undefined,
  columns: auditColumns<Step>(({ audit }) => audit),
  with: fixed`
-- The entries of the audit log.
audited AS (${auditInsert("after")}
)`
}

export const consequences: ReadonlyArray<Consequence> = [
  leavesQueue,
  entersQueue,
  freesSlot,
  isListedAnew,
  ends,
  hasResult,
  changesInputs,
  changesRequest,
  tells,
  isAudited
]
