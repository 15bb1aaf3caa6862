/** What is stored with a step of a run that shares seats: its row in the queue of its concurrency key, and its seat. */
import { seatRank } from "@runhook/core/domain/execution/Concurrency"
import { isLive } from "@runhook/core/domain/execution/ExecutionStatus"
import type { Run } from "@runhook/core/domain/run/Run"
import { boolean, inBucket, integer, text, timestamptz, uuid } from "../sql/Parameters.ts"
import type { Columns } from "../sql/Rows.ts"
import { fixed } from "../sql/Statement.ts"
import type { Consequence } from "./Consequence.ts"
import type { Step } from "./Move.ts"

/** Whether a run is in one of the queues. */
export const isQueued = ({ execution, lease }: Run): boolean =>
  execution.status === "queued" && lease === null

export const hasKey = ({ execution }: Run): boolean => execution.concurrency !== null

/** Whether a run of a key has a row in its queue, or is ready: for it waits for a seat, for its release or for an input. */
const isInLine = (run: Run): boolean => hasKey(run) && run.lease === null && isLive(run.execution.status)

/** Whether a step takes a run from where it waits. Such a step is alone in its statement. */
export const leavesWait = ({ before }: Step): boolean => isQueued(before.run) || isInLine(before.run)

export const rankOf = ({ execution }: Run): number => -execution.priority

/** Where it is in a queue before the step. */
export const placeBefore: Columns<Step> = {
  rank_before: integer(({ before }) => rankOf(before.run)),
  due_before: timestamptz(({ before }) => before.run.dueAt)
}

/** One that shares seats waits in the queue of its key; or, once it has a seat, in that of ready runs. */
export const leavesSeatQueue: Consequence = {
  isOf: ({ before }) => isInLine(before.run),
  columns: placeBefore,
  before: fixed`
left_ready AS (
  DELETE FROM ready_queue q
  WHERE q.bucket = ${inBucket} AND q.agent_id = (SELECT agent_id FROM locked)
    AND q.rank = (SELECT rank_before FROM locked) AND q.due_at = (SELECT due_before FROM locked)
    AND q.execution_id = (SELECT id FROM locked)
  RETURNING q.execution_id
),
left_unseated AS (
  DELETE FROM concurrency_queue q
  WHERE q.bucket = ${inBucket} AND q.execution_id = (SELECT id FROM locked)
  RETURNING q.execution_id
)`,
  requires: "(EXISTS (SELECT FROM left_ready) OR EXISTS (SELECT FROM left_unseated))"
}

const entersSeatQueue = ({ change }: Step): boolean => isQueued(change.run) && hasKey(change.run)

const awaitsCaller = ({ change }: Step): boolean => isInLine(change.run) && !isQueued(change.run)

const seatColumns: Columns<Step> = {
  account_id: uuid(({ change }) => change.run.execution.accountId),
  rank_after: integer(({ change }) => rankOf(change.run)),
  concurrency_key: text(({ change }) => change.run.execution.concurrency?.key ?? null),
  seat_rank: integer(({ change }) => seatRank(change.run.execution)),
  seats: integer(({ change }) => change.run.execution.concurrency?.limit ?? null)
}

const seatRow = {
  account_id: "account_id",
  key: "concurrency_key",
  execution_id: "id",
  agent_id: "agent_id",
  seat_rank: "seat_rank",
  rank: "rank_after",
  due_at: "due_at",
  seats: "seats"
}

/** The loop that gives seats looks at its key when it is due. */
export const waitsForSeat: Consequence = {
  isOf: entersSeatQueue,
  columns: { ...seatColumns, is_unseated: boolean(entersSeatQueue) },
  inserts: {
    as: "unseated",
    into: "concurrency_queue",
    of: "is_unseated",
    row: { ...seatRow, look_at: "due_at" }
  }
}

/** It gets no seat, and is found by one that cancels others. */
export const waitsForCaller: Consequence = {
  isOf: awaitsCaller,
  columns: { ...seatColumns, awaits_caller: boolean(awaitsCaller) },
  inserts: {
    as: "asleep",
    into: "concurrency_queue",
    of: "awaits_caller",
    row: { ...seatRow, look_at: "'infinity'::timestamptz(3)" }
  }
}

/** Whether a run may have had a seat, and has none from now on. */
const leavesItsSeat = ({ before, change }: Step): boolean =>
  hasKey(before.run) && change.run.lease === null && (before.run.lease !== null || isQueued(before.run))

/** The seat is marked in its own row, which nobody else writes: so no end waits for another of its key. */
export const leavesSeat: Consequence = {
  isOf: leavesItsSeat,
  columns: { leaves_seat: boolean(leavesItsSeat) },
  with: fixed`
vacated AS (
  UPDATE concurrency_seats s
  SET is_left = TRUE
  WHERE s.bucket = ${inBucket} AND s.execution_id = ANY (ARRAY (SELECT id FROM after WHERE leaves_seat))
)`
}
