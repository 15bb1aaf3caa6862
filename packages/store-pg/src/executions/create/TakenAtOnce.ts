/** The parts of a create that give what is created to polls of this process that wait for it, as the core's `assign` does. */
import type { Execution } from "@runhook/core/domain/execution/Execution"
import type { AgentId } from "@runhook/core/domain/Ids"
import { assign } from "@runhook/core/domain/run/LeaseMoves"
import type { Change, Run } from "@runhook/core/domain/run/Run"
import type { WorkInlets, WorkPlace } from "@runhook/core/runtime/WorkInlets"
import * as DateTime from "effect/DateTime"
import { asStored } from "../../deliveries/queue/HandOver.ts"
import { float8, inBucket, integer, smallint, text, uuid } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import { fixed, type InBucket } from "../../sql/Statement.ts"
import { type Asked, type Creation, madeBy } from "./Creation.ts"

/** Polls that wait for what is created, at most one for each agent: another would be no nearer to it. */
export type WorkPlaces = ReadonlyMap<Creation, WorkPlace>

export const workPlaces =
  (inlets: WorkInlets["Service"]) =>
  (creations: ReadonlyArray<Creation>): WorkPlaces => {
    const places = new Map<Creation, WorkPlace>()
    const asked = new Set<AgentId>()
    for (const creation of creations) {
      const { execution } = creation
      if (!isDueAtOnce(execution) || asked.has(execution.agentId)) continue
      asked.add(execution.agentId)
      const place = inlets.placeFor(execution)
      if (place !== undefined) places.set(creation, place)
    }
    return places
  }

const isDueAtOnce = ({ concurrency, createdAt, scheduledAt, status }: Execution): boolean =>
  status === "queued" &&
  concurrency === null &&
  (scheduledAt === null || DateTime.isLessThanOrEqualTo(scheduledAt, createdAt))

/** What an execution that was created at a moment is for the poll that gets it. */
export const takenBy = (creation: Creation, { inlet }: WorkPlace, at: DateTime.Utc): Change => {
  const { run } = madeBy(creation)
  return assign({ ...run, execution: asStored(run.execution), dueAt: at }, { ...inlet, at }).last
}

const millisUntil =
  (momentOf: (run: Run) => DateTime.Utc | null | undefined) =>
  ({ execution, taken }: Asked): number | null => {
    const moment = taken && momentOf(taken)
    return moment ? moment.epochMilliseconds - execution.createdAt.epochMilliseconds : null
  }

/** Of what is taken as if it were so when its caller says that it was created: its moments are told by their distance from then. */
export const takenColumns: Columns<Asked> = {
  session_id: uuid(({ taken }) => taken?.lease?.sessionId ?? null),
  claim_id: text(({ taken }) => taken?.lease?.claimId ?? null),
  taken_status: text(({ taken }) => taken?.execution.status ?? null),
  taken_attempt: smallint(({ taken }) => taken?.execution.attempt ?? null),
  taken_revision: integer(({ taken }) => taken?.revision ?? null),
  lease_millis: float8(millisUntil(({ lease }) => lease?.expiresAt)),
  timeout_millis: float8(millisUntil(({ deadlineAt }) => deadlineAt))
}

/**
 * The relation `taken`: of what is `made`, the executions that are given to the
 * session that waits for them, and their slots. Of each agent one at most: the one
 * that goes first of all that wait for it, here and in the queues.
 */
export const taken = fixed<InBucket>`
-- What goes first for its agent of what is created here.
first AS (
  SELECT DISTINCT ON (agent_id) *
  FROM made
  WHERE status = 'queued' AND due_at <= now_at
  ORDER BY agent_id, priority DESC, due_at, place
),
-- Those that a session waits for, which is open and may have them, while nothing that is due goes before them.
wanted AS (
  SELECT f.*
  FROM first f
  WHERE f.session_id IS NOT NULL AND (f.expires_at IS NULL OR f.expires_at > f.now_at)
    AND EXISTS (
      SELECT FROM runner_sessions s
      WHERE s.bucket = ${inBucket} AND s.account_id = f.account_id AND s.id = f.session_id
        AND NOT s.is_draining AND s.drain_requested_at IS NULL
        AND (s.agent_ids IS NULL OR f.agent_id = ANY (s.agent_ids))
      OFFSET 0
    )
    AND EXISTS (
      SELECT FROM agents a
      WHERE a.bucket = ${inBucket} AND a.account_id = f.account_id AND a.id = f.agent_id AND a.state = 'active'
      OFFSET 0
    )
    AND NOT EXISTS (
      SELECT FROM ready_queue q
      WHERE q.bucket = ${inBucket} AND q.agent_id = f.agent_id
        AND (q.rank, q.due_at) <= (-f.priority, f.due_at)
      OFFSET 0
    )
    AND NOT EXISTS (
      SELECT FROM delayed_queue q
      WHERE q.bucket = ${inBucket} AND q.agent_id = f.agent_id AND q.due_at <= f.now_at
      OFFSET 0
    )
),
-- Each with a free slot of its agent, locked, and as it is from now on. A slot that another statement has locked is passed
-- by, as in a claim.
taken AS (
  SELECT w.*, free.slot, greatest(w.now_at, w.created_at) AS taken_at,
    w.now_at + w.lease_millis * interval '1 millisecond' AS leased_until,
    CASE WHEN w.taken_attempt > 0 THEN greatest(w.now_at, w.created_at) END AS taken_started_at,
    w.now_at + w.timeout_millis * interval '1 millisecond' AS taken_deadline_at,
    CASE WHEN w.taken_attempt = 0 THEN w.expires_at END AS taken_start_by
  FROM wanted w
  CROSS JOIN LATERAL (
    SELECT s.slot
    FROM agent_slots s
    WHERE s.bucket = ${inBucket} AND s.agent_id = w.agent_id AND s.execution_id IS NULL AND NOT s.is_surplus
    ORDER BY s.slot
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  ) AS free
),
-- The slots are taken.
seated AS (
  UPDATE agent_slots s
  SET execution_id = t.id, session_id = t.session_id
  FROM taken t
  WHERE s.bucket = ${inBucket} AND s.agent_id = ANY (ARRAY (SELECT agent_id FROM taken))
    AND s.slot = ANY (ARRAY (SELECT slot FROM taken)) AND s.agent_id = t.agent_id AND s.slot = t.slot
)`
