/** A request to change when an execution may start, or its place in the queue, while no runner has it. */
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { changesOneOf } from "../shared/Difference.ts"
import { ExecutionId } from "../shared/Ids.ts"
import { InvalidField } from "../shared/Refusals.ts"
import { amend, type Change, dueAt, type Run, unchanged } from "../runs/Run.ts"
import type { Execution } from "./Execution.ts"
import { ExecutionStatus } from "./ExecutionStatus.ts"

/** What to change; missing fields stay. A `scheduledAt` in the past, or null, means now. */
export type RescheduleRequest = Partial<Pick<Execution, "expiresAt" | "priority" | "scheduledAt">>

/** The execution does not wait: a runner has it, or it is finished. */
export class NotWaiting extends Schema.TaggedError<NotWaiting>()("NotWaiting", {
  id: ExecutionId,
  status: ExecutionStatus
}) {
  override get message() {
    return this.status === "queued"
      ? `Execution ${this.id} was just taken by a runner: only one that waits can be changed`
      : `Execution ${this.id} is ${this.status}: only one that is pending or queued can be changed`
  }
}

/** Whether the execution waits, held or in the queue. */
export const isWaiting = ({ execution, lease }: Run): boolean =>
  execution.status === "pending" || (execution.status === "queued" && lease === null)

export const reschedule = (
  run: Run,
  { at, change }: { readonly change: RescheduleRequest; readonly at: DateTime.Utc }
): Result.Result<Change, NotWaiting> => {
  const { id, status } = run.execution
  if (!isWaiting(run)) return Result.fail(new NotWaiting({ id, status }))
  if (!changesOneOf(run.execution, change, ["expiresAt", "priority", "scheduledAt"])) {
    return Result.succeed(unchanged(run))
  }
  if (!changesOneOf(run.execution, change, ["scheduledAt"])) {
    return Result.succeed(amend(run, at, { execution: change }))
  }
  const execution = { ...run.execution, ...fromNow(change, at) }
  return Result.succeed(amend(run, at, { execution, run: { dueAt: dueAt(execution, at) } }))
}

/** The changed times must fit the unchanged ones. */
export const checkTimes = (
  { expiresAt, scheduledAt }: Pick<Execution, "expiresAt" | "scheduledAt">,
  { at, change }: { readonly change: RescheduleRequest; readonly at: DateTime.Utc }
): Result.Result<void, InvalidField> => {
  const broken = (path: string, rule: string) => Result.fail(new InvalidField({ path: [path], rule }))
  if (expiresAt === null) return Result.void
  if (change.expiresAt !== undefined && DateTime.isLessThanOrEqualTo(expiresAt, at)) {
    return broken("expires_at", "must be in the future")
  }
  if (scheduledAt === null || !DateTime.isLessThanOrEqualTo(expiresAt, scheduledAt)) return Result.void
  return change.expiresAt === undefined
    ? broken("scheduled_at", "must be earlier than expires_at")
    : broken("expires_at", "must be later than scheduled_at")
}

/** A start in the past means now. */
const fromNow = (change: RescheduleRequest, at: DateTime.Utc): RescheduleRequest =>
  change.scheduledAt && DateTime.isLessThanOrEqualTo(change.scheduledAt, at)
    ? { ...change, scheduledAt: null }
    : change
