/** The inlets of the dispatchers of this process: dispatchers open them, and the stores reserve places at them. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Delivery } from "../Delivery.ts"
import type { EndpointEvent } from "../../endpoints/EndpointEvent.ts"
import type { EventId, ExecutionId } from "../../shared/Ids.ts"
import type { Change } from "../../runs/Run.ts"
import type { DeliveryInlet, ReservedPlace } from "./DeliveryInlet.ts"

/** An event whose first attempt was begun as it was stored, possibly behind another one. */
export interface AttemptStart {
  readonly at: DateTime.Utc
  readonly behind: EventId | null
}

/** A place for an event, and its dispatcher. Exactly one of its verbs must be called (`ReservedPlace`). */
export interface Place<in Stored = Change>
  extends Pick<DeliveryInlet, "dispatcher" | "lease">, Pick<ReservedPlace, "doubt" | "free"> {
  /** The change, or its new delivery, is committed as it is told here, and the event is stored as begun. */
  begin(stored: Stored, begun: AttemptStart): void
}

export class DeliveryInlets extends Context.Service<
  DeliveryInlets,
  {
    /**
     * Until the scope ends, hands over to the inlet what this process' changes of
     * executions cause. A delivery is stored as `claimDue` would have claimed it for
     * the dispatcher, and after the commit the place kept for it begins it.
     *
     * A delivery that must not be sent at once is stored as due, and its place freed:
     * while an earlier event of its execution is pending, and while its receiver is
     * held or probed. One that the same dispatcher holds does not count: the event goes
     * behind it. Changes in a transaction of their caller hand over nothing.
     */
    open(inlet: DeliveryInlet): Effect.Effect<void, never, Scope.Scope>
    /** Keeps a place for the event of a change, if it has one, at the first inlet that has a place. */
    placeFor(change: Change): Place | undefined
    /** The same for an event that a standing endpoint is told. One that is fetched needs none. */
    placeForEndpoint(event: EndpointEvent, executionId: ExecutionId): Place<Delivery | null> | undefined
  }
>()("@runhook/core/deliveries/queue/DeliveryInlets") {}
