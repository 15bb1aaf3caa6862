/**
 * Ends what is out of time: leases of dead runners, executions and questions. Any process may sweep at any time; if
 * two sweep at once, each row is swept by one.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { ArtifactName } from "../artifacts/Artifact.ts"
import type { Execution } from "../executions/Execution.ts"
import type { AccountId, ArtifactId } from "../shared/Ids.ts"
import type { Retention } from "./Retention.ts"
import type { Change } from "../runs/Run.ts"

/** One bounded round. If it answers `limit` changes, there is more to do. */
export interface SweepRound {
  readonly at: DateTime.Utc
  readonly limit: number
}

/**
 * What is pruned, each kind by itself:
 *
 * - `expired`: idempotency keys whose time is over, sessions that were silent for a day, and jobs that ended 30 days ago.
 * - `remnants`: checkpoints of executions that have ended, and concurrency keys of which no execution has a seat or waits
 *   for one.
 * - `deliveries`: those whose time has come (`forgottenAt`), with their attempts, in a walk over all that are old enough.
 * - `receivers`: what is known of them, as `isForgotten` says.
 * - `executions`: those that ended by `executionsKeptSince` with all that is theirs, as `ExecutionStore.remove` does, if no
 *   callback is pending or dead, in a walk over all accounts.
 * - `accounts`: of an account that was removed `erasedAfter` ago, executions and other rows of each kind, until only its
 *   id, its usage sums and its audit log are left. The account is done when its last file was dropped from `leftOvers`.
 * - `audit`: entries of the audit log before `auditKeptSince`.
 * - `uploads`: artifacts that are not ready and were awaited for `uploadAwaited`, if they can no longer become ready, by
 *   `acceptsArtifacts`: they no longer count for their account and execution, and their files are left over. The others
 *   are awaited again.
 * - `people`: links and sessions of the Integrations page that expired `keptFor` ago.
 * - `counts`: counts of usage, by hour and by day, and of receivers.
 */
export const prunables = [
  "expired",
  "remnants",
  "deliveries",
  "receivers",
  "executions",
  "accounts",
  "audit",
  "uploads",
  "people",
  "counts"
] as const
export type Prunable = (typeof prunables)[number]

export interface PruneRound extends SweepRound {
  /** Default: `retentionDefault`. */
  readonly retention?: Retention
}

/** How many rows were pruned, and whether there may be more: of a walk, until it has gone round. */
export interface PruneCount {
  readonly pruned: number
  readonly hasMore: boolean
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
    /** Prunes up to `limit` rows of each table of a kind, as `Prunable` says. */
    prune(of: Prunable, round: PruneRound): Effect.Effect<PruneCount>

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
>()("@runhook/core/sweeps/SweepStore") {}
