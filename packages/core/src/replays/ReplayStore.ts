/** Keeps the jobs that replay many deliveries, and advances them. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audit } from "../audit/AuditEntry.ts"
import type { ReplayFilter, ReplayJob } from "./ReplayJob.ts"
import type { PreviewBounds, ReplayPreview } from "./ReplayPreview.ts"
import { type AccountId, ReplayId } from "../shared/Ids.ts"
import type { Owner } from "../keys/Owner.ts"
import type { Page, PageRequest } from "../shared/Page.ts"
import type { DeliveryFilter } from "../deliveries/DeliveryStore.ts"
import type { JobName, JobQueue } from "../jobs/JobQueue.ts"

/** No such job in the account, or not one of the key. */
export class ReplayNotFound extends Schema.TaggedError<ReplayNotFound>()("ReplayNotFound", {
  id: ReplayId
}) {
  override get message() {
    return `There is no replay ${this.id}`
  }
}

export interface ReplayRef extends Owner {
  readonly id: ReplayId
}

/** What a preview counts; it hides what the caller may not search. */
export type PreviewFilter = ReplayFilter & Pick<DeliveryFilter, "hidesQueries">

export class ReplayStore extends Context.Service<
  ReplayStore,
  JobQueue<ReplayId> & {
    /** Stores a new job. Answers it as stored, with times by the clock that says when deliveries settle. */
    create(job: ReplayJob, audit?: Audit<[stored: ReplayJob]>): Effect.Effect<ReplayJob>

    /** What a job with that filter would replay now, by rising id and within bounds. Changes nothing. */
    preview(options: {
      readonly accountId: AccountId
      readonly filter: PreviewFilter
      readonly bounds: PreviewBounds
    }): Effect.Effect<ReplayPreview>

    get(ref: ReplayRef): Effect.Effect<ReplayJob, ReplayNotFound>

    /** Newest first. */
    list(owner: Owner, page: PageRequest): Effect.Effect<Page<ReplayJob>>

    /** Ends a running job after its current batch. A finished one stays as it is. */
    cancel(
      ref: ReplayRef,
      at: DateTime.Utc,
      audit?: Audit<[before: ReplayJob, after: ReplayJob]>
    ): Effect.Effect<ReplayJob, ReplayNotFound>

    /**
     * Advances a running job by one batch: looks at the
     * next `limit` deliveries, starts a new round of those that match, and stores its
     * progress in the same transaction. The transaction that ends such a round counts
     * its outcome for the job. If two call at once, each batch is done by one. Answers
     * the job after the batch, or null if it is not running, or if another process advances it.
     */
    advance(
      job: JobName<ReplayId>,
      options: { readonly limit: number; readonly at: DateTime.Utc }
    ): Effect.Effect<ReplayJob | null>
  }
>()("@runhook/core/replays/ReplayStore") {}
