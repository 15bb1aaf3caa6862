/**
 * Wakes whoever waits for something to happen. A signal is a hint: it may come
 * for nothing or be lost between processes, so who waits always looks again,
 * and never waits without an end.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AccountChange, ChangeWord } from "../domain/account/AccountChange.ts"
import type {
  AccountId,
  AgentId,
  ApiKeyId,
  ConsoleSessionId,
  ExecutionId,
  RunnerKeyId,
  SessionId
} from "../domain/Ids.ts"

export type Topic =
  /** The execution changed. */
  | `execution:${ExecutionId}`
  /** The agent of the account has work to claim, or room for more. Wakes one who waits for it. */
  | `work:${AccountId}:${AgentId}`
  /** There is something to tell the runner. */
  | `session:${SessionId}`
  /** The session polls anew, so polls of it that still wait are over. */
  | `poll:${SessionId}`
  /** The key was changed, or the session of the Integrations page ended: it may open nothing any more. */
  | `key:${ApiKeyId | ConsoleSessionId | RunnerKeyId}`
  /** There are deliveries to make. */
  | "deliveries"
  /** There are deliveries to replay. */
  | "replays"
  /** Another signing secret is in force. */
  | "signing_secrets"
  /** Something falls due so soon that the sweeps would look too late by themselves. */
  | "sweeps"
  /** Something of an account changed. Told only where the account is watched. */
  | ChangeWord
  /** Changes of accounts may have gone untold. */
  | "changes_lost"
  /** The service is about to stop. */
  | "draining"
  /** Signals were lost, so anything may have happened. */
  | "anything"

/** Topics are told apart by how they begin. */
export const isChange = (topic: Topic): topic is ChangeWord => topic.startsWith("changed:")

/** A place in the queue of those who wait for work. */
export interface Place {
  /** Waits for the next signal, as what `subscribe` answers does, or for the place's turn. */
  readonly woken: Effect.Effect<void>
  /** Looks for work, which uses up the turn. When the look fails, the next in the queue has the turn. */
  looking<A, E, R>(look: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** Wakes the next in the queue who serves the agent: there may be more than this place can take. */
  passOn(agentId: AgentId | null): Effect.Effect<void>
}

export class Signals extends Context.Service<
  Signals,
  {
    notify(topics: ReadonlyArray<Topic>): Effect.Effect<void>

    /**
     * Listens from now until the scope ends. The answer waits for the next
     * signal on any of the topics or on "anything", and returns at once when
     * one came since the last wait: subscribe, look, then wait, and nothing is missed.
     */
    subscribe(topics: ReadonlyArray<Topic>): Effect.Effect<Effect.Effect<void>, never, Scope.Scope>

    /**
     * Listens likewise, and queues for work until the scope ends. Each signal
     * of work wakes one: who has waited longest in this process of those who
     * serve the agent. Between processes many signals may be told as one, so
     * who has taken all it could passes it on.
     */
    queue(options: {
      readonly topics: ReadonlyArray<Topic>
      readonly accountId: AccountId
      /** The agents it serves; null: all of the account. */
      readonly agentIds: ReadonlyArray<AgentId> | null
    }): Effect.Effect<Place, never, Scope.Scope>

    /**
     * Hears what changes in the account from now until the scope ends, here and
     * in other processes. Each change is told once it is stored, at once where
     * it was made; many at a time may be told as one of their kind. It also
     * hears when changes may have gone untold: then anything may have changed.
     * What nobody watches is told to nobody.
     */
    watch(accountId: AccountId, hear: (heard: Heard) => void): Effect.Effect<void, never, Scope.Scope>
  }
>()("@runhook/core/ports/Signals") {}

/** What somebody who watches an account hears. */
export type Heard = AccountChange | "changes_lost"
