/** The moves that end a run: by its runner, by a caller or operator, by policy. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ExecutionStatus, isTerminal } from "../executions/ExecutionStatus.ts"
import { retryAt } from "../executions/RetryBackoff.ts"
import { ExecutionId } from "../shared/Ids.ts"
import type { StoredObject } from "../shared/json/StoredJson.ts"
import { isRepeat } from "../shared/Repeat.ts"
import type { LeaseLost } from "./Lease.ts"
import { leaseHeld, mayRetry, requeue } from "./LeaseMoves.ts"
import { type Change, enter, IllegalTransition, isExpired, mayEnter, type Run, unchanged } from "./Run.ts"

export const errorMessageLengthMax = 4_000
export const statusReasonLengthMax = 1_000

/** How the work ended, by the runner's word. */
export type Outcome =
  | { readonly _tag: "Completed"; readonly result: StoredObject | null }
  | {
      readonly _tag: "Failed"
      readonly message: string
      /** Whether another attempt may help. */
      readonly isRetryable: boolean
      /** How long to wait before it, in milliseconds. Default: as the task says. */
      readonly retryDelayMillis?: number
    }
  | { readonly _tag: "Cancelled"; readonly reason: string | null }

/** How long the runner wants its work to wait before the next attempt; null if it does not say. */
const delayOf = (outcome: Outcome): Duration.Duration | null =>
  outcome._tag === "Failed" && outcome.retryDelayMillis !== undefined
    ? Duration.millis(outcome.retryDelayMillis)
    : null

/** The attempt was already ended in another way. */
export class AlreadyFinished extends Schema.TaggedError<AlreadyFinished>()("AlreadyFinished", {
  id: ExecutionId,
  status: ExecutionStatus
}) {
  override get message() {
    return `This attempt of execution ${this.id} was already ended differently: it is ${this.status}`
  }
}

/**
 * The runner reports the outcome. An equal repeat changes nothing. A failure that
 * may be retried, by runner and task, puts the execution back into the queue.
 */
export const finish = (
  run: Run,
  options: {
    readonly epoch: number
    readonly outcome: Outcome
    /** Of the runner's report, to distinguish a repeat from a contradiction. */
    readonly fingerprint: string
    readonly at: DateTime.Utc
  }
): Result.Result<Change, LeaseLost | AlreadyFinished | IllegalTransition> => {
  const { epoch, outcome, fingerprint, at } = options
  if (run.completion?.epoch === epoch) {
    return isRepeat(run.completion.fingerprint, fingerprint)
      ? Result.succeed(unchanged(run))
      : Result.fail(new AlreadyFinished({ id: run.execution.id, status: run.execution.status }))
  }
  return Result.flatMap(leaseHeld(run, epoch), () => {
    const { to, execution } = outcomeOf(outcome)
    if (run.execution.status === "queued" || !mayEnter(run, to)) {
      return Result.fail(new IllegalTransition({ id: run.execution.id, from: run.execution.status, to }))
    }
    const change =
      outcome._tag === "Failed" && outcome.isRetryable && mayRetry(run)
        ? requeue(run, { at, dueAt: retryAt(run.execution, { at, delay: delayOf(outcome) }) })
        : enter(run, to, at, { execution, run: { lease: null, deadlineAt: null } })
    const completion = { epoch, fingerprint, status: change.run.execution.status }
    return Result.succeed({ ...change, run: { ...change.run, completion } })
  })
}

/**
 * The answer to the runner that finished. An equal repeat gets the same status, whatever has happened to
 * the execution since. While it is queued again, `retryIn` is the time from then to the next attempt.
 */
export const answerTo = ({ completion, dueAt, execution: { status, updatedAt } }: Run) => {
  const answered = completion?.status ?? status
  const isQueued = answered === "queued" && status === "queued"
  return { status: answered, retryIn: isQueued ? DateTime.distance(updatedAt, dueAt) : null }
}

const outcomeOf = (outcome: Outcome) => {
  switch (outcome._tag) {
    case "Completed":
      return { to: "completed", execution: { result: outcome.result } } as const
    case "Failed":
      return { to: "error", execution: { errorMessage: outcome.message } } as const
    case "Cancelled":
      return { to: "cancelled", execution: { statusReason: outcome.reason } } as const
  }
}

/**
 * Stops an execution from outside, and fences off its runner. A finished one stays as it is. With `since` it counts as
 * stopped then, unless it has changed after that.
 */
export const stop = (
  run: Run,
  options: {
    readonly to: "aborted" | "cancelled"
    readonly reason: string | null
    readonly at: DateTime.Utc
    readonly since?: DateTime.Utc
  }
): Change =>
  isTerminal(run.execution.status)
    ? unchanged(run)
    : enter(run, options.to, DateTime.min(options.at, options.since ?? options.at), {
        execution: { statusReason: options.reason, epoch: run.execution.epoch + 1 },
        run: { lease: null, deadlineAt: null }
      })

/** Cancels an execution that was not started in time. */
export const expire = (run: Run, at: DateTime.Utc): Change =>
  isExpired(run, at)
    ? stop(run, { to: "cancelled", reason: "not started before expires_at", at })
    : unchanged(run)

/** Whether the attempt has used up its time. */
export const isOverdue = (run: Run, at: DateTime.Utc): boolean =>
  run.execution.status === "running" &&
  run.deadlineAt !== null &&
  DateTime.isLessThanOrEqualTo(run.deadlineAt, at)

/** Ends an attempt that has used up its time. */
export const timeOut = (run: Run, at: DateTime.Utc): Change =>
  isOverdue(run, at)
    ? enter(run, "error", at, {
        execution: {
          errorMessage: `timed out after ${run.execution.timeoutSeconds} seconds`,
          epoch: run.execution.epoch + 1
        },
        run: { lease: null, deadlineAt: null }
      })
    : unchanged(run)
