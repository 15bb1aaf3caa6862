/** The inlets of the dispatchers of this process, as a store knows them. */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { EventId } from "../domain/Ids.ts"
import type { Change } from "../domain/run/Run.ts"
import type { DeliveryInlet, ReservedPlace } from "../ports/DeliveryInlet.ts"

/** An event whose first attempt was begun as it was stored, possibly behind another one. */
export interface Begun {
  readonly at: DateTime.Utc
  readonly behind: EventId | null
}

/** A place for the event of a change, and its dispatcher. Exactly one of its verbs must be called (`ReservedPlace`). */
export interface Place
  extends Pick<DeliveryInlet, "dispatcher" | "lease">, Pick<ReservedPlace, "doubt" | "free"> {
  /** The change is committed as it is told here, and its event is stored as begun. */
  begin(stored: Change, begun: Begun): void
}

export class DeliveryInlets extends Context.Service<
  DeliveryInlets,
  {
    /** Adds an inlet until the scope ends. */
    open(inlet: DeliveryInlet): Effect.Effect<void, never, Scope.Scope>
    /** Keeps a place for the event of a change, if it has one, at the first inlet that has a place. */
    placeFor(change: Change): Place | undefined
  }
>()("@runhook/core/runtime/DeliveryInlets") {}
