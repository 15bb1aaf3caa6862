/**
 * Wakes whoever waits for something to happen. A signal is a hint: it may come
 * for nothing or be lost between processes, so who waits always looks again,
 * and never waits without an end.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AccountId, AgentId, ApiKeyId, ExecutionId, RunnerKeyId, SessionId } from "../domain/Ids.ts"

export type Topic =
  /** The execution changed. */
  | `execution:${ExecutionId}`
  /** The agent has work to claim, or room for more. */
  | `agent:${AgentId}`
  /** Some agent of the account has. */
  | `account:${AccountId}`
  /** There is something to tell the runner. */
  | `session:${SessionId}`
  /** The key was changed, and may open nothing any more. */
  | `key:${ApiKeyId | RunnerKeyId}`
  /** There are deliveries to make. */
  | "deliveries"
  /** There are deliveries to replay. */
  | "replays"
  /** Something falls due so soon that the sweeps would look too late by themselves. */
  | "sweeps"
  /** The service is about to stop. */
  | "draining"
  /** Signals were lost, so anything may have happened. */
  | "anything"

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
  }
>()("@runhook/core/ports/Signals") {}
