/**
 * Ends what is out of time: leases of dead runners, executions and questions. Any process may sweep at any time; if
 * two sweep at once, each row is swept by one.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { ArtifactName } from "../domain/artifact/Artifact.ts"
import type { Execution } from "../domain/execution/Execution.ts"
import type { AccountId, ArtifactId } from "../domain/Ids.ts"
import type { Retention } from "../domain/Retention.ts"
import type { Change } from "../domain/run/Run.ts"

/** One bounded round. If it answers `limit` changes, there is more to do. */
export interface SweepRound {
  readonly at: DateTime.Utc
  readonly limit: number
}

/** The file of a pruned artifact: all of it may be in the storage, or nothing. */
export interface LeftOver {
  readonly accountId: AccountId
  readonly id: ArtifactId
  readonly storageKey: string
}

export class SweepStore extends Context.Service<
  SweepStore,
  {
    /**
     * When one of the sweeps next has something to do, unless something else happens
     * first: not after `at` if it has by now, null if never. Its distance from `at` is
     * its distance from the store's own now.
     */
    nextDueAt(at: DateTime.Utc): Effect.Effect<DateTime.Utc | null>
    /**
     * Revokes leases that ran out: work that has not started is queued again, started
     * work if its task's retry policy allows it.
     */
    expireLeases(round: SweepRound): Effect.Effect<ReadonlyArray<Change>>
    /** Ends attempts that used up their time. */
    timeOutRuns(round: SweepRound): Effect.Effect<ReadonlyArray<Change>>
    /** Does what the runner asked for in case no answer comes. */
    expireInputs(round: SweepRound): Effect.Effect<ReadonlyArray<Change>>
    /** Cancels executions that were never started before their `expires_at`, claimed ones too. */
    expireExecutions(round: SweepRound): Effect.Effect<ReadonlyArray<Change>>
    /**
     * Gives the free seats of concurrency keys to executions that are due and wait for them: those that cancel others
     * first, then by priority, due time and creation; each if fewer have seats than its own limit. Looks at up to
     * `limit` keys with news, and at none that another process looks at.
     *
     * - `seated`: those that may be claimed from now on.
     * - `inTheWay`: what is unfinished and older than one that cancels others and is due, but for the newest of it that
     *   its limit has room for, until it ends. Until then neither has a seat given to it. `since` says when the first
     *   one that cancels it fell due: one that is due at once, at its creation, whatever the store's now was then.
     */
    giveSeats(round: SweepRound): Effect.Effect<{
      readonly keys: number
      readonly seated: ReadonlyArray<Pick<Execution, "accountId" | "agentId">>
      readonly inTheWay: ReadonlyArray<Pick<Execution, "accountId" | "id"> & { readonly since: DateTime.Utc }>
    }>
    /** When `giveSeats` next has something to do, unless something happens first, as `nextDueAt` says it. */
    nextSeatAt(at: DateTime.Utc): Effect.Effect<DateTime.Utc | null>
    /**
     * Prunes expired idempotency keys, sessions that were silent for a day, and replay
     * jobs that ended 30 days ago; answers how many.
     */
    prune(round: SweepRound): Effect.Effect<number>

    /**
     * Forgets up to `limit` checkpoints of executions that have ended, and as many
     * concurrency keys of which no execution has a seat or waits for one. `hasMore` if
     * there may be others.
     */
    pruneRemnants(round: SweepRound): Effect.Effect<{ readonly hasMore: boolean }>

    /**
     * Looks at up to `limit` more deliveries that are old enough, in a walk over all of
     * them, and prunes those whose time has come by `at`, with their attempts.
     * `hasMore` until the walk has gone round. At its end, prunes receivers as
     * `isForgotten` says.
     */
    pruneDeliveries(
      round: SweepRound & { readonly retention: Retention }
    ): Effect.Effect<{ readonly pruned: number; readonly hasMore: boolean }>

    /**
     * Looks at up to `limit` more executions that are old enough, in a walk over all
     * accounts, and removes those that ended by `executionsKeptSince` with all that is
     * theirs, as `ExecutionStore.remove` does, if no callback is pending or dead.
     * `hasMore` until the walk has gone round.
     */
    pruneExecutions(
      round: SweepRound & { readonly retention: Retention }
    ): Effect.Effect<{ readonly pruned: number; readonly hasMore: boolean }>

    /**
     * Erases, of an account that was removed `erasedAfter` ago, up to `limit` executions
     * and other rows of each kind, until only its id, its usage sums and its audit log
     * are left. The account is done when its last file was dropped from `leftOvers`.
     * `hasMore` until it has gone round all removed accounts.
     */
    eraseAccounts(round: SweepRound): Effect.Effect<{ readonly pruned: number; readonly hasMore: boolean }>

    /**
     * Prunes up to `limit` entries of the audit log whose time has come by `at`.
     * `hasMore` until it finds none.
     */
    pruneAudit(
      round: SweepRound & { readonly retention: Retention }
    ): Effect.Effect<{ readonly pruned: number; readonly hasMore: boolean }>

    /**
     * Looks at up to `limit` artifacts that are not ready and were awaited for
     * `uploadAwaited`. Prunes those that can no longer become ready, by
     * `acceptsArtifacts`: they no longer count for their account and execution, and
     * their files are left over. The others are awaited again. `hasMore` if it looked
     * at `limit` artifacts.
     */
    pruneUploads(
      round: SweepRound & { readonly finalizeMs: number }
    ): Effect.Effect<{ readonly pruned: number; readonly hasMore: boolean }>

    /** Up to `limit` left-over files, from any process, until they are dropped. */
    leftOvers(limit: number): Effect.Effect<ReadonlyArray<LeftOver>>

    /**
     * Which of these names neither an artifact nor a left-over file has, though their
     * account is one of this store's, or was. Others may be of another service.
     */
    strays(names: ReadonlyArray<ArtifactName>): Effect.Effect<ReadonlyArray<ArtifactName>>

    /** Records that the storage no longer has these files. Repeating it is harmless. */
    dropLeftOvers(leftOvers: ReadonlyArray<LeftOver>): Effect.Effect<void>
  }
>()("@runhook/core/ports/SweepStore") {}
