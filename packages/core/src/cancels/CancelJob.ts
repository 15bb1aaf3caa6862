/**
 * The cancel of many executions: a job that goes through those that are unfinished by rising id, bite by bite, and
 * remembers how far it has come. Pure moves; a store applies one of them per transaction.
 */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Actor } from "../audit/Actor.ts"
import { type Audit, auditBy } from "../audit/AuditEntry.ts"
import { executionStopped } from "../audit/ActivityEvents.ts"
import { AgentId, ApiKeyId, ExecutionId, instantOf, JobId, ScheduleId, TaskId } from "../shared/Ids.ts"
import { afterBite, begunAs, jobFields } from "../jobs/Job.ts"
import { isInScope, KeyScope } from "../keys/KeyScope.ts"
import { stop } from "../runs/EndMoves.ts"
import { type Change, type Run, unchanged } from "../runs/Run.ts"
import type { Execution } from "../executions/Execution.ts"
import { ExecutionStatus } from "../executions/ExecutionStatus.ts"

/** Unfinished executions that are looked at to count those that match. */
export const countedMax = 100_000

/** Which executions a job cancels. Null means any. */
export const CancelFilter = Schema.Struct({
  /** Finished ones match nothing. */
  statuses: Schema.NullOr(Schema.Array(ExecutionStatus)),
  taskId: Schema.NullOr(TaskId),
  agentId: Schema.NullOr(AgentId),
  reference: Schema.NullOr(Schema.String),
  scheduleId: Schema.NullOr(ScheduleId),
  /** The beginning of its id or reference. */
  find: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Schema.DateTimeUtc),
  to: Schema.NullOr(Schema.DateTimeUtc)
})
export type CancelFilter = typeof CancelFilter.Type

export const CancelJob = Schema.Struct({
  ...jobFields,
  id: JobId,
  /** The key whose job it is; null for an operator's or a member's. */
  apiKeyId: Schema.NullOr(ApiKeyId),
  idempotencyKey: Schema.NullOr(Schema.String),
  /** In whose name each cancel is audited; null if it is not, as a key's single cancel is not. */
  actor: Schema.NullOr(Actor),
  endsAs: Schema.Literals(["aborted", "cancelled"]),
  reason: Schema.NullOr(Schema.String),
  filter: CancelFilter,
  /** What the key was allowed when it began. */
  scope: KeyScope,
  /** How many matched when it began; null if there were too many to count. */
  matched: Schema.NullOr(Schema.Int),
  cancelled: Schema.Int,
  /** Those that had ended or changed by themselves a moment before it reached them. */
  skipped: Schema.Int,
  /** Those that could not be cancelled: a row that cannot be read, or a cancel that fails at every try. */
  failed: Schema.Int,
  /** The last execution that it looked at, whether it matched or not. */
  lastSeenId: Schema.NullOr(ExecutionId)
})
export type CancelJob = typeof CancelJob.Type

type RequestField =
  | "accountId"
  | "actor"
  | "apiKeyId"
  | "endsAs"
  | "filter"
  | "idempotencyKey"
  | "reason"
  | "scope"

/** What somebody asks for. */
export type CancelRequest = Pick<CancelJob, RequestField>

/**
 * A job as it is first stored. It begins with its id: ids of all kinds sort by the moment they were made, so
 * executions above it were created later, and are not touched.
 */
export const newCancelJob = (request: CancelRequest & Pick<CancelJob, "id" | "matched">): CancelJob => ({
  ...request,
  ...begunAs(instantOf(request.id)),
  cancelled: 0,
  skipped: 0,
  failed: 0,
  lastSeenId: null
})

/** Whether two requests under one idempotency key ask for the same. */
export const asksForTheSame = (
  one: Pick<CancelJob, "filter" | "reason">,
  other: Pick<CancelJob, "filter" | "reason">
): boolean => one.reason === other.reason && textOf(one.filter) === textOf(other.filter)

const textOf = Schema.encodeSync(Schema.fromJsonString(Schema.toCodecJson(CancelFilter)))

/** Whether the job may cancel the execution in its present status. What never changes of it is the store's to compare. */
export const mayCancel = (
  { filter, scope }: Pick<CancelJob, "filter" | "scope">,
  execution: Execution
): boolean =>
  (filter.statuses === null || filter.statuses.includes(execution.status)) && isInScope(scope, execution)

/** Cancels one of them, as a single cancel would, unless it no longer matches. */
export const cancelBy =
  (job: CancelJob) =>
  (run: Run, at: DateTime.Utc): Change =>
    mayCancel(job, run.execution) ? stop(run, { to: job.endsAs, reason: job.reason, at }) : unchanged(run)

/** The entry in the audit log for each, where a single cancel would have one. */
export const auditOf = ({ actor }: CancelJob): Audit<[execution: Execution]> | undefined =>
  actor === null ? undefined : auditBy(actor, executionStopped)

/** What a job did in one bite. */
export interface CancelBite extends Pick<CancelJob, "cancelled" | "failed" | "lastSeenId" | "skipped"> {
  /** Whether there is nothing behind it. */
  readonly isLast: boolean
}

/** The job after a bite. */
export const afterCancels = (job: CancelJob, bite: CancelBite, at: DateTime.Utc): CancelJob => ({
  ...job,
  ...afterBite(at, bite),
  cancelled: job.cancelled + bite.cancelled,
  skipped: job.skipped + bite.skipped,
  failed: job.failed + bite.failed,
  lastSeenId: bite.lastSeenId ?? job.lastSeenId
})
