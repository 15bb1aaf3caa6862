/**
 * Ends what nobody else will end: leases of dead runners, executions and
 * questions whose time is up. Any process may sweep at any time; of two at
 * once each row is swept by one.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { AccountId, ArtifactId } from "../domain/Ids.ts"
import type { Retention } from "../domain/Retention.ts"
import type { Change } from "../domain/run/Run.ts"

/** One bounded round. A round that answers `limit` changes has more to do. */
export interface SweepRound {
  readonly at: DateTime.Utc
  readonly limit: number
}

/** A file of an artifact that was forgotten: all of it may lie in the storage, or nothing. */
export interface LeftOver {
  readonly accountId: AccountId
  readonly id: ArtifactId
  readonly storageKey: string
}

export class SweepStore extends Context.Service<
  SweepStore,
  {
    /**
     * When one of the sweeps will next have something to do, unless something
     * else happens before: not after `at` when it has by now, null when never.
     * It is as far from `at` as it is from the store's own now.
     */
    nextDueAt(at: DateTime.Utc): Effect.Effect<DateTime.Utc | null>
    /** Takes leases that ran out: work not started is queued again, started work by its task's retry policy. */
    expireLeases(round: SweepRound): Effect.Effect<ReadonlyArray<Change>>
    /** Ends attempts that used up their time. */
    timeOutRuns(round: SweepRound): Effect.Effect<ReadonlyArray<Change>>
    /** Does what the runner said should happen when nobody answers. */
    expireInputs(round: SweepRound): Effect.Effect<ReadonlyArray<Change>>
    /** Cancels executions that were never started before their `expires_at`, claimed ones too. */
    expireExecutions(round: SweepRound): Effect.Effect<ReadonlyArray<Change>>
    /** Forgets idempotency keys past their time, sessions silent for a day and replay jobs that ended 30 days ago; answers how many. */
    forget(round: SweepRound): Effect.Effect<number>

    /**
     * Looks at up to `limit` more deliveries that are old enough, in a walk
     * over all of them, and forgets those whose time has come by `at`, with
     * their attempts. `hasMore` until the walk has come around. At its end
     * receivers are forgotten that have no trouble any more.
     */
    forgetDeliveries(
      round: SweepRound & { readonly retention: Retention }
    ): Effect.Effect<{ readonly forgotten: number; readonly hasMore: boolean }>

    /** Forgets up to `limit` entries of the audit log whose time has come by `at`. `hasMore` until it finds none. */
    forgetAudit(
      round: SweepRound & { readonly retention: Retention }
    ): Effect.Effect<{ readonly forgotten: number; readonly hasMore: boolean }>

    /**
     * Looks at up to `limit` artifacts that are not ready and were awaited for
     * `uploadAwaited`, and forgets those that cannot become ready any more, by
     * `acceptsArtifacts`: they count neither for their account nor for their
     * execution, and are left over. The others are awaited anew. `hasMore`
     * when it has looked at as many as it may.
     */
    forgetUploads(
      round: SweepRound & { readonly finalizeMs: number }
    ): Effect.Effect<{ readonly forgotten: number; readonly hasMore: boolean }>

    /** Up to `limit` files that are left over, whoever forgot their artifacts, until they are dropped. */
    leftOvers(limit: number): Effect.Effect<ReadonlyArray<LeftOver>>

    /** Notes that the storage has these files no more. Repeating it is harmless. */
    dropLeftOvers(leftOvers: ReadonlyArray<LeftOver>): Effect.Effect<void>
  }
>()("@runhook/core/ports/SweepStore") {}
