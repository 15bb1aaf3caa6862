/** Keeps history and progress of executions, for people to look at. No decision depends on it. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { DeliverySummary } from "../../deliveries/Delivery.ts"
import type { HistoryEvent } from "./HistoryEvent.ts"
import type { AccountId, ExecutionId, SessionId, InAccount } from "../../shared/Ids.ts"
import type { LinesOn, LogLine } from "../../runs/LogLine.ts"
import type { Progress, ReportOn } from "../../runs/Progress.ts"
import type { ExecutionNotFound } from "../../shared/Refusals.ts"

/** What a reader knows of an execution; what is not told does not matter to it. */
export interface Known extends InAccount<ExecutionId> {
  /** The number of the last event. */
  readonly after: number
  /** The number of the last line of its log. */
  readonly afterLine?: number | null
  /** How many artifacts are ready. */
  readonly artifacts?: number
  /** The time of the latest report; `neverReported` if there was none. */
  readonly reportedAt?: DateTime.Utc
}

export const neverReported = DateTime.makeUnsafe(0)

export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    /**
     * The events of an execution after the number `after`, oldest first, without a gap,
     * at most `limit`. Each is stored with its change.
     */
    events(
      options: InAccount<ExecutionId> & { readonly after: number; readonly limit: number }
    ): Effect.Effect<ReadonlyArray<HistoryEvent>, ExecutionNotFound>

    /**
     * Those of the executions, of any accounts, that have later events or lines than is known, another number of
     * artifacts or another report, are gone, or cannot be read: whoever reads them is told why.
     */
    changedSince(known: ReadonlyArray<Known>): Effect.Effect<ReadonlyArray<ExecutionId>>

    /**
     * Adds lines to the logs of executions, in their order, and keeps the newest `logLinesMax` of each. Skips work
     * that has not started or that nobody holds under the epoch, or another session if one is named; and lines
     * whose number is not above that of the last line of this epoch.
     */
    log(options: {
      readonly accountId: AccountId
      /** Null: of any session. */
      readonly sessionId: SessionId | null
      readonly said: ReadonlyArray<LinesOn>
      readonly at: DateTime.Utc
    }): Effect.Effect<void>

    /** The lines of an execution after the number `after`, oldest first, at most `limit`. */
    lines(
      options: InAccount<ExecutionId> & { readonly after: number; readonly limit: number }
    ): Effect.Effect<ReadonlyArray<LogLine>, ExecutionNotFound>

    /**
     * Keeps a session's latest report on its started work, in place of the one before.
     * Skips work that the session does not hold under the epoch it names.
     */
    report(options: {
      readonly accountId: AccountId
      readonly sessionId: SessionId
      readonly reports: ReadonlyArray<ReportOn>
      readonly at: DateTime.Utc
    }): Effect.Effect<void>

    /** The latest report on an execution; undefined if there was none. */
    progress(ref: InAccount<ExecutionId>): Effect.Effect<Progress | undefined, ExecutionNotFound>

    /**
     * How many executions would be claimed before this waiting one, at most `aheadMax`;
     * 0 if it does not wait.
     */
    ahead(
      ref: InAccount<ExecutionId> & { readonly at: DateTime.Utc }
    ): Effect.Effect<number, ExecutionNotFound>

    /**
     * How many executions have seats of its concurrency key, while it waits for one; null if it does not, and for one
     * that is not of the account.
     */
    seatsTaken(ref: InAccount<ExecutionId>): Effect.Effect<number | null>

    /** The deliveries of each of the executions of the account, in the order of their events. */
    deliveriesOf(options: {
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<ExecutionId>
    }): Effect.Effect<ReadonlyMap<ExecutionId, ReadonlyArray<DeliverySummary>>>
  }
>()("@runhook/core/executions/history/HistoryStore") {}
