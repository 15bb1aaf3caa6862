/** The types of the integration API: those of the contract, and some for callers. */
import type * as Contract from "./Integration.generated.ts"
import type { Open } from "./Json.ts"

export type { Answer, Page } from "./Envelope.ts"
export type * from "./Integration.generated.ts"
export type { Json, JsonObject, Open } from "./Json.ts"
export type * from "./TaskTypes.ts"

export type ExecutionStatus = Open<Contract.KnownExecutionStatus>

/** `dead`: every attempt has failed; it can be replayed. */
export type DeliveryState = Open<Contract.KnownDeliveryState>

/** What lists and details show of an execution. */
export type ExecutionFields = Omit<Contract.Execution, "id">

/** The execution was accepted now. */
export interface ExecutionCreated extends Contract.ExecutionCreated {
  /** True in the other answer to a create: see `ExecutionReplayed`. */
  readonly idempotent_replay?: undefined
}

/** A dry run is a separate call, since its answer differs. */
export interface ReplayDeliveries extends Omit<Contract.ReplayDeliveries, "dry_run"> {}

/** An execution entered a status. */
export interface ExecutionEvent<Type extends string = Contract.KnownExecutionEventType> extends Omit<
  Contract.ExecutionEvent,
  "type"
> {
  readonly type: Type
}

type ExecutionEvents = {
  readonly [Type in Contract.KnownExecutionEventType]: ExecutionEvent<Type>
}

/** Every current event, told apart by `type`. Keep a `default` branch: later versions may send other types. */
export type WebhookEvent = ExecutionEvents[Contract.KnownExecutionEventType] | Contract.TestEvent
