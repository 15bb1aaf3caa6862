/** Keeps the jobs that replay many deliveries, and moves them on. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type AccountId, type ApiKeyId, ReplayId } from "../domain/Ids.ts"
import type { Page, PageRequest } from "../domain/Page.ts"
import type { ReplayFilter, ReplayJob } from "../domain/delivery/ReplayJob.ts"
import type { PreviewBounds, ReplayPreview } from "../domain/delivery/ReplayPreview.ts"

/** No such job in the account, or not of the key. */
export class ReplayNotFound extends Schema.TaggedError<ReplayNotFound>()("ReplayNotFound", {
  id: ReplayId
}) {
  override get message() {
    return `There is no replay ${this.id}`
  }
}

/** Whose jobs are meant: any of the account, or those for the deliveries of one key alone. */
export interface ReplayOwner {
  readonly accountId: AccountId
  /** Null: of any key, or of none. */
  readonly apiKeyId: ApiKeyId | null
}

export interface ReplayRef extends ReplayOwner {
  readonly id: ReplayId
}

export class ReplayStore extends Context.Service<
  ReplayStore,
  {
    /** Stores a new job; answers it as it is stored, with the times of the clock that says when deliveries settle. */
    create(job: ReplayJob): Effect.Effect<ReplayJob>

    /** What a job with that filter would replay now, by rising id and within bounds: nothing is changed. */
    preview(options: {
      readonly accountId: AccountId
      readonly filter: ReplayFilter
      readonly bounds: PreviewBounds
    }): Effect.Effect<ReplayPreview>

    get(ref: ReplayRef): Effect.Effect<ReplayJob, ReplayNotFound>

    /** Newest first. */
    list(owner: ReplayOwner, page: PageRequest): Effect.Effect<Page<ReplayJob>>

    /** Ends a running job, after the bite that is under way. One that is finished stays as it is. */
    cancel(ref: ReplayRef, at: DateTime.Utc): Effect.Effect<ReplayJob, ReplayNotFound>

    /**
     * Takes a bite of a running job, of those the one that moved on longest
     * ago: looks at the next `limit` deliveries that it may mean, starts a new
     * round of those that it concerns and that match, and keeps in the same
     * transaction how far it came. The transaction in which such a round ends
     * counts its outcome for the job. Of two callers at once each bite
     * is taken by one. Answers the job after it, null when there is none to
     * move on.
     */
    advance(options: { readonly limit: number; readonly at: DateTime.Utc }): Effect.Effect<ReplayJob | null>
  }
>()("@runhook/core/ports/ReplayStore") {}
