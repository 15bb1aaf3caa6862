/** The moves of a lease: claim, start, beat, give back, loss. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { retryAt } from "../executions/RetryBackoff.ts"
import type { SessionId } from "../shared/Ids.ts"
import { LeaseLost, type Lease } from "./Lease.ts"
import {
  amend,
  type Change,
  enter,
  type HeldRun,
  IllegalTransition,
  isExpired,
  movedAt,
  type Run,
  unchanged
} from "./Run.ts"

/** The error message of a started execution whose runner is gone for good. */
const runnerLostMessage = "runner lost"

/** Whether the run waits for a runner and may be claimed at `at`. */
export const isClaimable = (run: Run, at: DateTime.Utc): boolean =>
  run.execution.status === "queued" &&
  run.lease === null &&
  DateTime.isLessThanOrEqualTo(run.dueAt, at) &&
  !isExpired(run, at)

/** A claim of a session. */
export interface ClaimOf {
  readonly sessionId: SessionId
  readonly claimId: string
  /** How long the runner has to start what it claims. */
  readonly startDeadline: Duration.Duration
}

/** Gives a claimable run to a session, under a new epoch. It stays queued until started. */
export const claim = (run: Run, options: ClaimOf & { readonly at: DateTime.Utc }): Change => {
  const epoch = run.execution.epoch + 1
  const lease: Lease = {
    sessionId: options.sessionId,
    claimId: options.claimId,
    epoch,
    expiresAt: DateTime.addDuration(options.at, options.startDeadline)
  }
  return amend(run, options.at, { execution: { epoch }, run: { lease, attemptEpoch: epoch } })
}

/** The lease, if `epoch` still holds it. */
export const leaseHeld = (run: Run, epoch: number): Result.Result<Lease, LeaseLost> =>
  run.lease !== null && run.lease.epoch === epoch ? Result.succeed(run.lease) : Result.fail(leaseLost(run))

export const leaseLost = ({ execution }: Run): LeaseLost =>
  new LeaseLost({ id: execution.id, status: execution.status, epoch: execution.epoch })

/** Whether the lease has not run out at `at`. A lease that has run out still holds until it is swept. */
export const isLeaseLive = (run: Run, at: DateTime.Utc): boolean =>
  run.lease !== null && DateTime.isGreaterThan(run.lease.expiresAt, at)

/** The runner starts the work. Repeating it under the same epoch only extends the lease. */
export const start = (
  run: Run,
  options: { readonly epoch: number; readonly at: DateTime.Utc; readonly lease: Duration.Duration }
): Result.Result<Change, LeaseLost> =>
  Result.map(leaseHeld(run, options.epoch), (held) => {
    const lease = { ...held, expiresAt: DateTime.addDuration(options.at, options.lease) }
    if (run.execution.status !== "queued") return { ...unchanged(run), run: { ...run, lease } }
    const { timeoutSeconds } = run.execution
    return enter(run, "running", options.at, {
      execution: { startedAt: movedAt(run, options.at), attempt: attemptUnderLease(run) },
      run: {
        lease,
        deadlineAt: timeoutSeconds === null ? null : DateTime.add(options.at, { seconds: timeoutSeconds })
      }
    })
  })

/** A claim that waits for work. */
export interface Assignment extends ClaimOf {
  /** How long the lease of what it starts lasts; null if it starts nothing. */
  readonly lease: Duration.Duration | null
}

/**
 * Gives a run to the claim that waits for it, as it is created. Starts it if the claim starts its work and no
 * callback is due for it.
 */
export const assign = (
  run: Run,
  options: Assignment & { readonly at: DateTime.Utc }
): { readonly claimed: Change; readonly last: Change } => {
  const { at, lease } = options
  const claimed = claim(run, options)
  if (lease === null) return { claimed, last: claimed }
  const started = start(claimed.run, { epoch: claimed.run.execution.epoch, at, lease })
  const isSilent = Result.isSuccess(started) && started.success.event === null
  return { claimed, last: isSilent ? started.success : claimed }
}

/**
 * Whether the work was started and has released its runner to wait for an answer:
 * its next start continues the same attempt.
 */
export const isResuming = ({ execution }: Run): boolean =>
  execution.status === "queued" && execution.startedAt !== null

/** The attempt that a lease is for: the one that its start will begin, or the one that continues. */
export const attemptUnderLease = (run: Run): number =>
  run.execution.status === "queued" && !isResuming(run) ? run.execution.attempt + 1 : run.execution.attempt

/**
 * A lease is extended if that adds a twelfth of its length, 5 seconds of a minute:
 * runners send more heartbeats than are worth writing.
 */
export const worthAdding = (lease: Duration.Duration): Duration.Duration =>
  Duration.millis(Duration.toMillis(lease) / 12)

/**
 * The lease of a run after a heartbeat of a session: extended on its started work,
 * unless that adds next to nothing. Claimed work that has not started keeps its
 * start deadline, and other sessions' work stays as it is.
 */
export const beat = (
  run: HeldRun,
  options: {
    readonly sessionId: SessionId
    readonly epoch: number
    readonly at: DateTime.Utc
    readonly lease: Duration.Duration
  }
): Lease | null => {
  const { at, epoch, lease, sessionId } = options
  const held = run.lease
  if (held === null || held.epoch !== epoch || held.sessionId !== sessionId) return held
  const expiresAt = DateTime.addDuration(at, lease)
  const isWorth = DateTime.isLessThanOrEqualTo(
    DateTime.addDuration(held.expiresAt, worthAdding(lease)),
    expiresAt
  )
  return isWorth && run.execution.status !== "queued" ? { ...held, expiresAt } : held
}

/** Puts a run back into the queue, and fences off its runner. */
export const requeue = (
  run: Run,
  options: { readonly at: DateTime.Utc; readonly dueAt: DateTime.Utc }
): Change => {
  const freed = { lease: null, attemptEpoch: null, deadlineAt: null, dueAt: options.dueAt }
  const epoch = run.execution.epoch + 1
  return run.execution.status === "queued"
    ? amend(run, options.at, { execution: { epoch }, run: freed })
    : enter(run, "queued", options.at, {
        execution: { epoch, startedAt: null, inputRequest: null },
        run: freed
      })
}

/** The runner gives back work that it has not started; nobody gets it before `delay` is over. */
export const giveBack = (
  run: Run,
  options: { readonly epoch: number; readonly at: DateTime.Utc; readonly delay: Duration.Duration }
): Result.Result<Change, LeaseLost | IllegalTransition> =>
  Result.flatMap(leaseHeld(run, options.epoch), () => {
    const { id, status } = run.execution
    return status === "queued"
      ? Result.succeed(
          requeue(run, { at: options.at, dueAt: DateTime.addDuration(options.at, options.delay) })
        )
      : Result.fail(new IllegalTransition({ id, from: status, to: "queued" }))
  })

/**
 * The session closes: work that it has not started goes back to its place; started
 * work keeps its lease until that runs out.
 */
export const leave = (run: Run, at: DateTime.Utc): Change =>
  run.lease !== null && run.execution.status === "queued"
    ? requeue(run, { at, dueAt: run.dueAt })
    : unchanged(run)

/** Whether the task's retry policy allows another start. */
export const mayRetry = ({ execution }: Run): boolean => execution.attempt < execution.maxAttempts

/**
 * No heartbeat came in time. Work that has not started goes back to its place in
 * the queue; started work is queued again only if its task allows retries.
 */
export const loseLease = (run: Run, at: DateTime.Utc): Change => {
  if (run.lease === null || isLeaseLive(run, at)) return unchanged(run)
  if (run.execution.status === "queued") return leave(run, at)
  if (mayRetry(run)) return requeue(run, { at, dueAt: retryAt(run.execution, { at, delay: null }) })
  return enter(run, "error", at, {
    execution: { errorMessage: runnerLostMessage, epoch: run.execution.epoch + 1 },
    run: { lease: null, deadlineAt: null }
  })
}
