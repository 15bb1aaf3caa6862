/**
 * Wakes what waits for something to happen. A signal is a hint: it may come for
 * nothing, or be lost between processes. So every wait also looks again by itself,
 * and none is endless.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AccountChange, ChangeWord } from "../accounts/AccountChange.ts"
import type {
  AccountId,
  AgentId,
  ApiKeyId,
  EndpointId,
  PersonSessionId,
  ExecutionId,
  RunnerKeyId,
  SessionId
} from "../shared/Ids.ts"

export type Topic =
  /** The execution changed. */
  | `execution:${ExecutionId}`
  /** The agent of the account may have work to claim that it had not before. Wakes one poll that waits for it. */
  | `work:${AccountId}:${AgentId}`
  /** The agent has room for more of the work that it had. Wakes one poll as well. */
  | `room:${AccountId}:${AgentId}`
  /** There is something to tell the runner. */
  | `session:${SessionId}`
  /** The session polls again, so its earlier polls are over. */
  | `poll:${SessionId}`
  /** The key was changed, or the session of the Integrations page ended: it may no longer be valid. */
  | `key:${ApiKeyId | PersonSessionId | RunnerKeyId}`
  /** There are messages to fetch from the poll endpoint. */
  | `messages:${EndpointId}`
  /** Standing endpoints are yet to be told of changes. */
  | "endpoints"
  /** There are deliveries to make. */
  | "deliveries"
  /** There is a job to carry out: deliveries to replay, or executions to cancel. */
  | "jobs"
  /** A concurrency key may have a seat to give. */
  | "seats"
  /** Another signing secret is in force. */
  | "signing_secrets"
  /** Something falls due so soon that the sweeps would be late without a signal. */
  | "sweeps"
  /** A schedule is due so soon that it would be late without a signal. */
  | "schedules"
  /** Something in an account changed. Sent only where the account is watched. */
  | ChangeWord
  /** Changes of accounts may have been missed. */
  | "changes_lost"
  /** The service is about to stop. */
  | "draining"
  /** Signals were lost, so anything may have happened. */
  | "anything"

/** A moment in the order of the signals that a process has heard. */
export type Mark = number

/** What a process remembers to have heard of: topics, and work of any agent of an account. */
export type Remembered =
  | Extract<Topic, `${"messages" | "poll" | "session" | "work"}:${string}`>
  | `work:${AccountId}`

/** Topics are distinguished by their beginnings. */
export const isChange = (topic: Topic): topic is ChangeWord => topic.startsWith("changed:")

/** A place in the queue for work. */
export interface WorkTurn {
  /** Waits for the next signal, like the answer of `subscribe`, or for the place's turn. */
  readonly woken: Effect.Effect<void>
  /** Wakes it, without a turn. */
  wake(): void
  /** Looks for work, which uses up the turn. If the look fails, the turn passes to the next in the queue. */
  looking<A, E, R>(look: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** Wakes the next in the queue that serves the agent: there may be more work than this place can take. */
  passOn(agentId: AgentId | null): Effect.Effect<void>
}

export class Signals extends Context.Service<
  Signals,
  {
    notify(topics: ReadonlyArray<Topic>): Effect.Effect<void>

    /** Now, to ask later what was signalled since. */
    mark(): Mark

    /** Whether none of the topics was signalled since then, and nothing that may be any of them. */
    isQuiet(topics: ReadonlyArray<Remembered>, since: Mark): boolean

    /**
     * Listens from now until the scope ends. The answer waits for the next signal on
     * any of the topics or on "anything", and returns at once if one came since the
     * last wait. Subscribe, look, then wait: so nothing is missed.
     */
    subscribe(topics: ReadonlyArray<Topic>): Effect.Effect<Effect.Effect<void>, never, Scope.Scope>

    /**
     * Listens in the same way, and queues for work until the scope ends. Each signal of
     * work wakes one: of those in this process that serve the agent, the one that has
     * waited longest. Several signals may arrive from another process as one, so a poll
     * that takes all it can passes the turn on.
     */
    queue(options: {
      readonly topics: ReadonlyArray<Topic>
      readonly accountId: AccountId
      /** The agents it serves; null: all of the account. */
      readonly agentIds: ReadonlyArray<AgentId> | null
    }): Effect.Effect<WorkTurn, never, Scope.Scope>

    /**
     * Hears what changes in the account until the scope ends, here and in other
     * processes. A change is passed on once it is stored, at once in its own process;
     * many changes at a time may arrive as one of their kind. When changes may have
     * been missed, that is passed on too: then anything may have changed. Changes of an
     * account that nobody watches are dropped.
     */
    watch(accountId: AccountId, hear: (heard: Heard) => void): Effect.Effect<void, never, Scope.Scope>
  }
>()("@runhook/core/signals/Signals") {}

/** What a watcher of an account hears. */
export type Heard = AccountChange | "changes_lost"
