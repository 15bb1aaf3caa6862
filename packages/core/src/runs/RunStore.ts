/**
 * Keeps who runs what: sessions and leases. Every write of a runner names its
 * epoch; a write under a stale epoch changes nothing.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audited } from "../audit/AuditEntry.ts"
import type { Agent } from "../catalog/Agent.ts"
import type { Task, TaskVersion } from "../catalog/Task.ts"
import {
  type AccountId,
  type AgentId,
  type ExecutionId,
  type RunnerKeyId,
  SessionId,
  type InAccount
} from "../shared/Ids.ts"
import type { StoredJson } from "../shared/json/StoredJson.ts"
import type { Page, PageRequest } from "../shared/Page.ts"
import type { AlreadyFinished, Outcome } from "./EndMoves.ts"
import type { InputRequest } from "./InputRequest.ts"
import type { InFlight, LeaseLost } from "./Lease.ts"
import type { Change, HeldRun, IllegalTransition, Run } from "./Run.ts"
import type { RunnerSession, RunnerSessionView } from "./sessions/RunnerSession.ts"
import type { ExecutionNotFound } from "../shared/Refusals.ts"

/** No such session: it was closed, pruned, or belongs to another key. */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {
  id: SessionId
}) {
  override get message() {
    return `There is no runner session ${this.id}: open one first`
  }
}

/** The runner key has reached its limit of present sessions. */
export class SessionLimitReached extends Schema.TaggedError<SessionLimitReached>()("SessionLimitReached", {
  limit: Schema.Int
}) {
  override get message() {
    return `This runner key has reached its limit of ${this.limit} sessions at once: close one, or wait until one has been silent for a minute`
  }
}

/** A run given to a runner, with what the runner needs to know of the task. */
export interface ClaimedRun {
  readonly run: Run
  readonly task: Pick<Task, "id" | "slug">
  readonly version: Pick<TaskVersion, "id" | "number" | "paramsSchema">
  /** The latest that was kept of the execution; null if there is none. */
  readonly checkpoint: StoredJson | null
}

/** The result of a look for work. */
export interface LookedForWork {
  readonly claims: ReadonlyArray<ClaimedRun>
  readonly isMoreDue: boolean
  readonly nextDueAt: DateTime.Utc | null
}

/** A runner's write to one execution. */
export interface RunnerWrite extends InAccount<ExecutionId> {
  readonly epoch: number
  readonly at: DateTime.Utc
}

/** How a runner ends its attempt. */
export interface Ending extends RunnerWrite {
  readonly outcome: Outcome
  readonly fingerprint: string
}

export class RunStore extends Context.Service<
  RunStore,
  {
    /** The run as it is now, to judge a write before paying its cost. The write itself judges again. */
    get(options: InAccount<ExecutionId>): Effect.Effect<Run, ExecutionNotFound>

    /**
     * Opens a session. If this key has one for the same instance, finds it, updates its
     * description and drops earlier requests to drain. Answers the runs it still holds.
     * When a new session opens, at most `presentMax` others of the key are present,
     * however many open at once; a session that is found again is never refused.
     */
    openSession(options: { readonly session: RunnerSession; readonly presentMax: number }): Effect.Effect<
      {
        readonly session: RunnerSession
        readonly agents: ReadonlyArray<Agent>
        readonly held: ReadonlyArray<ClaimedRun>
      },
      SessionLimitReached
    >

    /** A session of this runner key. */
    getSession(options: {
      readonly accountId: AccountId
      readonly runnerKeyId: RunnerKeyId
      readonly id: SessionId
    }): Effect.Effect<RunnerSession, SessionNotFound>

    /**
     * The account's known sessions, present or not, newest first: those that serve the
     * agent, or all if it is null.
     */
    listSessions(
      options: { readonly accountId: AccountId; readonly agentId: AgentId | null },
      page: PageRequest
    ): Effect.Effect<Page<RunnerSessionView>>

    /** Records that the session should take no more work and leave. Asking again changes nothing. */
    drainSession(
      options: InAccount<SessionId> & Audited<[before: RunnerSession, at: DateTime.Utc]>
    ): Effect.Effect<RunnerSession, SessionNotFound>

    /**
     * Closes a session. Its claimed work that has not started goes back to the queue at
     * once; started work keeps its lease until that runs out.
     */
    closeSession(
      options: InAccount<SessionId> & {
        readonly at: DateTime.Utc
      }
    ): Effect.Effect<ReadonlyArray<Change>, SessionNotFound>

    /**
     * Claims up to `limit` due runs of the session's active agents: highest priority
     * first, then due time, then creation.
     *
     * - Two claimers never get the same run, and no agent ever holds more live leases
     *   than its capacity.
     * - Repeating a claim id while its leases live answers the same runs.
     * - Expired runs are not given out.
     * - The runs count as `runBytes`. Those beyond `bytesMax` (`pageBytesMax` unless
     *   given) stay queued, but the first is taken however large.
     * - `nextDueAt` is when something may next fall due, as far as the store knows;
     *   null if runs were found.
     * - `isMoreDue` is whether something may be due that was not given out, such as
     *   for want of room. Where nothing is, only new work or a due time changes that.
     * - `isLikely` is whether it will probably find something. Otherwise the store may
     *   look first, which costs it less. Default: yes.
     * - A closed session is not found.
     */
    claim(options: {
      readonly session: RunnerSession
      readonly claimId: string
      readonly limit: number
      readonly bytesMax?: number
      readonly isLikely?: boolean
      readonly startDeadline: Duration.Duration
      readonly at: DateTime.Utc
    }): Effect.Effect<LookedForWork, SessionNotFound>

    /**
     * The heartbeat of a session: keeps it present, extends its own leases on the
     * started work among `inFlight`, and answers the session and the runs as they now
     * are, each once, in the form of `heldRun`. Nothing else of them is read. Unknown
     * executions, and those of other accounts, are left out.
     *
     * It writes nothing unless `isSeenAnew` and the domain's `beat` say that it is
     * worth it. It does not wait for concurrent moves: such a run's lease is left to
     * the next heartbeat. The ends of leases in the answer are the stored ones.
     */
    beat(options: {
      readonly session: Pick<RunnerSession, "accountId" | "id" | "runnerKeyId">
      /** Whether the runner takes no more work; null if it did not say. */
      readonly isDraining: boolean | null
      readonly inFlight: ReadonlyArray<InFlight>
      readonly lease: Duration.Duration
      readonly at: DateTime.Utc
    }): Effect.Effect<
      { readonly session: RunnerSession; readonly held: ReadonlyArray<HeldRun> },
      SessionNotFound
    >

    /** The runner starts the work. Repeating it under the same epoch is harmless. */
    start(
      options: RunnerWrite & { readonly lease: Duration.Duration }
    ): Effect.Effect<Change, ExecutionNotFound | LeaseLost>

    /** The runner ends its attempt. An equal repeat is harmless. */
    finish(
      ending: Ending
    ): Effect.Effect<Change, ExecutionNotFound | LeaseLost | AlreadyFinished | IllegalTransition>

    /**
     * Keeps a checkpoint of the execution, in place of the one before. Every later claim
     * brings it, and none brings one that was refused.
     */
    keepCheckpoint(
      options: RunnerWrite & { readonly checkpoint: StoredJson }
    ): Effect.Effect<void, ExecutionNotFound | LeaseLost>

    /** The runner gives back work that it has not started. */
    giveBack(
      options: RunnerWrite & { readonly delay: Duration.Duration }
    ): Effect.Effect<Change, ExecutionNotFound | LeaseLost | IllegalTransition>

    /**
     * The runner asks its caller for a value. Asking again under the same key finds the
     * same question in the same attempt, and in a later one once it was answered.
     */
    ask(
      options: RunnerWrite & { readonly input: InputRequest }
    ): Effect.Effect<
      { readonly change: Change; readonly input: InputRequest },
      ExecutionNotFound | LeaseLost | IllegalTransition
    >
  }
>()("@runhook/core/runs/RunStore") {}
