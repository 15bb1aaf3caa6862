/** Keeps the jobs that cancel many executions, and advances them. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CancelJob } from "./CancelJob.ts"
import { JobId } from "../shared/Ids.ts"
import type { Owner } from "../keys/Owner.ts"
import type { Change } from "../runs/Run.ts"
import type { JobName, JobQueue } from "../jobs/JobQueue.ts"

/** No such job in the account, or not one of the key. */
export class JobNotFound extends Schema.TaggedError<JobNotFound>()("JobNotFound", { id: JobId }) {
  override get message() {
    return `There is no job ${this.id}`
  }
}

/** The account has as many jobs at work as it may have at once. */
export class JobLimitReached extends Schema.TaggedError<JobLimitReached>()("JobLimitReached", {
  limit: Schema.Int,
  running: Schema.Array(JobId)
}) {
  override get message() {
    return `This account has ${this.limit} jobs at work, as many as it may have at once: wait for one, or stop it`
  }
}

/** The key was used before, for a different request. */
export class JobKeyConflict extends Schema.TaggedError<JobKeyConflict>()("JobKeyConflict", { id: JobId }) {
  override get message() {
    return "This Idempotency-Key was used before with a different request body"
  }
}

export interface JobRef extends Owner {
  readonly id: JobId
}

export class CancelStore extends Context.Service<
  CancelStore,
  JobQueue<JobId> & {
    /** How many executions a job would cancel now, if it had that id; null if more than `seenMax` are unfinished. */
    count(options: {
      readonly job: Pick<CancelJob, "accountId" | "filter" | "id" | "scope">
      readonly seenMax: number
    }): Effect.Effect<number | null>

    /**
     * Stores a new job, or finds the one that its idempotency key, which is its API key's or that of all
     * operators, began with an equal request since `keySince`. Of any
     * number at once, no more than `limit` of an account are at work.
     */
    create(
      job: CancelJob,
      options: { readonly limit: number; readonly keySince: DateTime.Utc }
    ): Effect.Effect<
      { readonly job: CancelJob; readonly isDuplicate: boolean },
      JobLimitReached | JobKeyConflict
    >

    get(ref: JobRef): Effect.Effect<CancelJob, JobNotFound>

    /** Ends a running job after its present bite. A finished one stays as it is. */
    cancel(ref: JobRef, at: DateTime.Utc): Effect.Effect<CancelJob, JobNotFound>

    /**
     * Advances a running job by one bite: looks at up to `seenMax` more of the unfinished
     * executions of its account, cancels up to `limit` of those that match, and stores its progress in the same
     * transaction. So a process that dies in between has cancelled and counted all of a bite, or nothing. If two call
     * at once, each bite is done by one. An execution whose cancel fails by itself, and not for an outage, is counted
     * as failed and left behind, so that it keeps no job at work. Answers the job and the changes, or null if it is
     * not at work, or if another process advances it.
     */
    advance(
      job: JobName<JobId>,
      options: {
        readonly limit: number
        readonly seenMax: number
        readonly at: DateTime.Utc
      }
    ): Effect.Effect<{ readonly job: CancelJob; readonly changes: ReadonlyArray<Change> } | null>
  }
>()("@runhook/core/cancels/CancelStore") {}
