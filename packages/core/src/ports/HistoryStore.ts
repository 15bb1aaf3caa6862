/** What is kept of executions beside themselves, for those who look at them. Nothing here decides anything. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { DeliverySummary } from "../domain/delivery/Delivery.ts"
import type { HistoryEvent } from "../domain/execution/HistoryEvent.ts"
import type { AccountId, ExecutionId, SessionId } from "../domain/Ids.ts"
import type { Progress, ReportOn } from "../domain/run/Progress.ts"
import type { ExecutionNotFound } from "./ExecutionStore.ts"

interface Ref {
  readonly accountId: AccountId
  readonly id: ExecutionId
}

export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    /**
     * The events of an execution behind the number `after`, oldest first and
     * without a gap, `limit` at most. Each is stored with its change.
     */
    events(
      options: Ref & { readonly after: number; readonly limit: number }
    ): Effect.Effect<ReadonlyArray<HistoryEvent>, ExecutionNotFound>

    /**
     * Keeps what a session says of its started work, in place of what was said
     * before. What it does not hold under the epoch it names is passed over.
     */
    report(options: {
      readonly accountId: AccountId
      readonly sessionId: SessionId
      readonly reports: ReadonlyArray<ReportOn>
      readonly at: DateTime.Utc
    }): Effect.Effect<void>

    /** What was last said of an execution; undefined when nothing was. */
    progress(ref: Ref): Effect.Effect<Progress | undefined, ExecutionNotFound>

    /** How many executions would be claimed before this one that waits, `aheadMax` at most; 0 when it does not wait. */
    ahead(ref: Ref & { readonly at: DateTime.Utc }): Effect.Effect<number, ExecutionNotFound>

    /** The deliveries of each of the executions of the account, in the order of their events. */
    deliveriesOf(options: {
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<ExecutionId>
    }): Effect.Effect<ReadonlyMap<ExecutionId, ReadonlyArray<DeliverySummary>>>
  }
>()("@runhook/core/ports/HistoryStore") {}
