/** Where a run waits before and after a move, and whether it leaves its seat. */
import { seatRank } from "@runhook/core/runs/seats/Concurrency"
import { isLive } from "@runhook/core/executions/ExecutionStatus"
import type { Run } from "@runhook/core/runs/Run"
import * as DateTime from "effect/DateTime"
import { boolean, smallint, text, timestamptz } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import type { Step } from "./Move.ts"

/** Whether a run waits for a claim, or for a seat before it. */
const isQueued = ({ execution, lease }: Run): boolean => execution.status === "queued" && lease === null

const hasKey = ({ execution }: Run): boolean => execution.concurrency !== null

/**
 * The queues one of which has the row of a run: those of its agent, of ready and of deferred runs; or that of its
 * concurrency key, which also has those that are held or await input without a lease, unless it is ready.
 */
const queuesOf = (run: Run): "agent" | "key" | null => {
  if (hasKey(run)) return run.lease === null && isLive(run.execution.status) ? "key" : null
  return isQueued(run) ? "agent" : null
}

/** The queue that a run enters: one that waits for its caller gets no seat, and is found by one that cancels others. */
const entered = ({ at, change: { run } }: Step): "caller" | "delayed" | "ready" | "seat" | null => {
  const queues = queuesOf(run)
  if (queues === "key") return isQueued(run) ? "seat" : "caller"
  if (queues === null) return null
  return DateTime.isLessThanOrEqualTo(run.dueAt, at) ? "ready" : "delayed"
}

/** Whether a run may have had a seat, and has none from now on. */
const leavesSeat = ({ before, change }: Step): boolean =>
  hasKey(before.run) && change.run.lease === null && (before.run.lease !== null || isQueued(before.run))

const rankOf = ({ execution }: Run): number => -execution.priority

const ifLeft = <Value>({ before }: Step, value: (run: Run) => Value): Value | null =>
  queuesOf(before.run) === null ? null : value(before.run)

const ifEntered = <Value>({ change }: Step, value: (run: Run) => Value): Value | null =>
  queuesOf(change.run) === null ? null : value(change.run)

const ofKey = ({ change }: Step) => (queuesOf(change.run) === "key" ? change.run.execution.concurrency : null)

export const waitColumns: Columns<Step> = {
  waited_for: text(({ before }) => queuesOf(before.run)),
  rank_before: smallint((step) => ifLeft(step, rankOf)),
  due_before: timestamptz((step) => ifLeft(step, ({ dueAt }) => dueAt)),
  waits_for: text(entered),
  rank_after: smallint((step) => ifEntered(step, rankOf)),
  concurrency_key: text((step) => ofKey(step)?.key ?? null),
  seat_rank: smallint((step) => ofKey(step) && seatRank(step.change.run.execution)),
  seats: smallint((step) => ofKey(step)?.limit ?? null),
  leaves_seat: boolean((step) => leavesSeat(step) || null)
}
