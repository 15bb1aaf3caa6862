/** Creates of executions, as the stores ask for them. */
import type { Execution } from "@runhook/core/executions/Execution"
import type { EventId } from "@runhook/core/shared/Ids"
import { accepted, type Change } from "@runhook/core/runs/Run"
import type { Idempotency } from "@runhook/core/executions/ExecutionStore"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/** An execution to store, as the port is asked for it, and the id of its first event. */
export interface Creation {
  readonly execution: Execution
  readonly idempotency: Idempotency | null
  readonly accountMaxLive: number
  readonly keyMaxLive: number | null
  readonly eventId: EventId
}

/** The change that it is, once it is stored. */
export const madeBy = ({ eventId, execution }: Creation): Change => {
  const change = accepted(execution)
  return change.event === null ? change : { ...change, deliveryId: eventId }
}

/**
 * The outcome of a creation. `Known`: its idempotency key was used before;
 * `Found`: it was made when a connection was lost, and the outcome of its
 * event is not known.
 */
export type Created =
  | {
      readonly _tag: "Made"
      /** When its event was begun by the place that was kept for it; null when it was not. */
      readonly begunAt: DateTime.Utc | null
      /** What it has become for the poll that got it; undefined when it waits in the queue. */
      readonly taken: Change | undefined
      /** Whether endpoints are yet to be told of it. */
      readonly hasListeners: boolean
    }
  | { readonly _tag: "Found" }
  | { readonly _tag: "Known" }
  | { readonly _tag: "Refused"; readonly by: "account" | "key" | "removed" }

export class Creates extends Context.Service<
  Creates,
  {
    /** Stores an execution of the bucket, if it may be stored. */
    create(bucket: number, creation: Creation): Effect.Effect<Created, SqlError | Schema.SchemaError>

    /** Stores executions of the bucket that may be stored, in a transaction that the store has opened. The caller announces them. */
    join(
      bucket: number,
      creations: ReadonlyArray<Creation>
    ): Effect.Effect<ReadonlyMap<Creation, Created>, SqlError | Schema.SchemaError>
  }
>()("@runhook/store-pg/executions/create/Creates") {}
