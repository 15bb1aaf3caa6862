/** The jobs at work of all accounts, as a part of a store's port. */
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../shared/Ids.ts"

export interface JobName<Id> {
  readonly accountId: AccountId
  readonly id: Id
}

export interface JobQueue<Id> {
  /** Jobs at work, the one that advanced longest ago first, without those that are put off. */
  due(options: {
    readonly limit: number
    readonly at: DateTime.Utc
  }): Effect.Effect<ReadonlyArray<JobName<Id>>>

  /** Leaves a job alone for a while, in every process: it is not due before that. */
  putOff(
    job: JobName<Id>,
    options: { readonly by: Duration.Duration; readonly at: DateTime.Utc }
  ): Effect.Effect<void>
}
