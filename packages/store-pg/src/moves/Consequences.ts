/**
 * What else is stored with a step: queues, slots, counts, results, callbacks,
 * the audit log. A statement contains only what its steps need.
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { auditColumns, auditInsert } from "../audit/AuditEntries.ts"
import { listening, noting } from "../endpoints/EndpointOutbox.ts"
import { listedAs } from "../executions/list/ListedStatus.ts"
import { InputsJson } from "../executions/RunRow.ts"
import { withChange } from "../sql/Inserts.ts"
import { boolean, inBucket, integer, json, jsonb, text, timestamptz } from "../sql/Parameters.ts"
import { fixed, type InBucket } from "../sql/Statement.ts"
import { keyColumns, queuesEvent, tells } from "./Callbacks.ts"
import type { Consequence, Way } from "./Consequence.ts"
import type { Step } from "./Move.ts"
import {
  hasKey,
  isQueued,
  leavesSeat,
  leavesSeatQueue,
  leavesWait,
  placeBefore,
  rankOf,
  waitsForCaller,
  waitsForSeat
} from "./SeatQueue.ts"

/** One event each for the history. */
const happens: Consequence = {
  isOf: () => true,
  inserts: {
    as: "happened",
    into: "execution_events",
    row: {
      execution_id: "id",
      number: "revision_after",
      status: "status",
      epoch: "epoch",
      at: "updated_at",
      type: "happening",
      attempt: "attempt"
    }
  }
}

/**
 * Which queue has the row depends on whether a claim has looked since it became due. If neither has it, a claim is
 * moving it right now, and the step is tried again. Such a step is alone in its statement, so that its keys are known
 * values and its plan is good for a long queue.
 */
const leavesQueue: Consequence = {
  isOf: ({ before }) => isQueued(before.run) && !hasKey(before.run),
  columns: placeBefore,
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

/** Whether a step must be alone in its statement. */
export const isAlone = leavesWait

const isDue = ({ at, change }: Step): boolean => DateTime.isLessThanOrEqualTo(change.run.dueAt, at)

/** Due runs go to the queue of ready runs, others to that of deferred ones. */
const waitsIn = (into: "delayed_queue" | "ready_queue"): Consequence => ({
  isOf: (step) =>
    isQueued(step.change.run) && !hasKey(step.change.run) && isDue(step) === (into === "ready_queue"),
  columns: {
    is_queued: boolean(({ change }) => isQueued(change.run) && !hasKey(change.run)),
    is_due: boolean(isDue),
    rank_after: integer(({ change }) => rankOf(change.run))
  },
  inserts: {
    as: `entered_${into}`,
    into,
    of: into === "ready_queue" ? "is_queued AND is_due" : "is_queued AND NOT is_due",
    row: { agent_id: "agent_id", rank: "rank_after", due_at: "due_at", execution_id: "id" }
  }
})

const freedSlot = ({ before, change }: Step): number | null =>
  change.run.lease === null ? before.slot : null

const freesSlot: Consequence = {
  isOf: (step) => freedSlot(step) !== null,
  columns: { freed_slot: integer(freedSlot) },
  with: fixed`
-- Frees the slots. By arrays and not by a join, which may walk all slots of a bucket for each step.
freed AS (
  UPDATE agent_slots s
  SET execution_id = NULL, session_id = NULL
  WHERE s.bucket = ${inBucket}
    AND s.agent_id = ANY (ARRAY (SELECT DISTINCT agent_id FROM after WHERE freed_slot IS NOT NULL))
    AND s.slot = ANY (ARRAY (SELECT DISTINCT freed_slot FROM after WHERE freed_slot IS NOT NULL))
    AND s.execution_id = ANY (ARRAY (SELECT id FROM after WHERE freed_slot IS NOT NULL))
)`
}

/** The status under which the run is listed from now on; null if that does not change. */
const listedAnew = ({ before, change }: Step): string | null => {
  const listed = listedAs(change.run.execution.status)
  return listed === listedAs(before.run.execution.status) ? null : listed
}

const isListedAnew: Consequence = {
  isOf: (step) => listedAnew(step) !== null,
  columns: { listed_as: text(listedAnew) },
  with: fixed`
-- Moves the run to its new list.
listed AS (
  UPDATE execution_status s
  SET status = n.listed_as
  FROM after n
  WHERE s.bucket = ${inBucket}
    AND s.execution_id = ANY (ARRAY (SELECT id FROM after WHERE listed_as IS NOT NULL))
    AND s.execution_id = n.id
)`
}

/** A note of each end, which the next create subtracts from the count. */
const notes = {
  as: "released",
  into: "live_releases",
  of: "stopped_at IS NOT NULL",
  row: { account_id: "account_id", execution_id: "id", api_key_id: "api_key_id" }
}

const hasEnded = ({ change }: Step): boolean => change.run.execution.stoppedAt !== null

/** A lock on a count is kept for no longer than a statement. */
const locksCounts = ({ insertsLater, locked }: Way): boolean => locked === "skip" && !insertsLater

/**
 * A caller's transaction may keep locks for long, so it only leaves notes; so does one that inserts after the change.
 */
const leavesNotes: Consequence = {
  isOf: (step, way) => hasEnded(step) && !locksCounts(way),
  columns: keyColumns,
  inserts: notes
}

/**
 * Lowers the counts of unfinished executions where no create has locked them; otherwise leaves a note of each end.
 */
const lowersCounts: Consequence = {
  isOf: (step, way) => hasEnded(step) && locksCounts(way),
  columns: keyColumns,
  with: fixed`
-- Ends for each key.
ended AS (
  SELECT account_id, api_key_id, count(*)::integer AS executions
  FROM after
  WHERE stopped_at IS NOT NULL
  GROUP BY account_id, api_key_id
),
-- Counts that are not locked.
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
-- Lowers those at once.
lowered AS (
  UPDATE live_counts c
  SET live = c.live - n.executions
  FROM counted n
  WHERE c.bucket = ${inBucket} AND c.account_id = n.account_id AND c.api_key_id = n.api_key_id
),
${withChange({ ...notes, of: `${notes.of} AND NOT EXISTS (SELECT FROM counted c WHERE c.api_key_id = after.api_key_id)` }, "after")}`
}

const resultOf = ({ change }: Step) => change.run.execution.result

const hasResult: Consequence = {
  isOf: (step) => resultOf(step) !== null,
  columns: {
    result: json((step) => resultOf(step)?.text ?? null),
    result_bytes: integer((step) => resultOf(step)?.bytes ?? null)
  },
  inserts: {
    as: "resulted",
    into: "execution_results",
    of: "result IS NOT NULL",
    row: { execution_id: "id", result: "result", bytes: "result_bytes" }
  }
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
-- The requests, with their callers' changes.
rescheduled AS (
  UPDATE execution_requests r
  SET priority = n.priority, scheduled_at = n.scheduled_at, expires_at = n.expires_at
  FROM after n
  WHERE r.bucket = ${inBucket} AND r.id = ANY (ARRAY (SELECT id FROM after WHERE is_rescheduled))
    AND r.id = n.id
)`
}

/** What endpoints are to be told of. Behind the change it is a statement of its own. */
const isNoted: Consequence = {
  isOf: ({ change }, { insertsLater }) => change.announced !== null && !insertsLater,
  columns: { announced: text(({ change }) => change.announced) },
  with: fixed`${listening("after")},
noted_for_endpoints AS (${noting(fixed<InBucket>`
  SELECT ${inBucket}, a.account_id, a.id, a.revision_after, a.announced, a.status, a.updated_at, a.started_at,
    a.stopped_at, l.last_endpoint
  FROM after a
  JOIN listening l ON l.account_id = a.account_id
  WHERE a.announced IS NOT NULL`)}
)`,
  hasListeners: "id IN (SELECT id FROM noted_for_endpoints)"
}

const isAudited: Consequence = {
  isOf: ({ audit }) => audit !== undefined,
  columns: auditColumns<Step>(({ audit }) => audit),
  inserts: { as: "audited", ...auditInsert }
}

export const consequences: ReadonlyArray<Consequence> = [
  happens,
  leavesQueue,
  waitsIn("ready_queue"),
  waitsIn("delayed_queue"),
  leavesSeatQueue,
  waitsForSeat,
  waitsForCaller,
  leavesSeat,
  freesSlot,
  isListedAnew,
  lowersCounts,
  leavesNotes,
  hasResult,
  changesInputs,
  changesRequest,
  tells,
  queuesEvent,
  isNoted,
  isAudited
]
