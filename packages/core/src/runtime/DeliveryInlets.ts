/** The inlets of the dispatchers of this process, as a store knows them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { ComingEvent, DeliveryInlet, ReservedPlace } from "../ports/DeliveryInlet.ts"

/** A place for an event, and its dispatcher. */
export interface Place extends Pick<DeliveryInlet, "dispatcher" | "lease"> {
  readonly kept: ReservedPlace
}

export class DeliveryInlets extends Context.Service<
  DeliveryInlets,
  {
    /** Adds an inlet until the scope ends. */
    open(inlet: DeliveryInlet): Effect.Effect<void, never, Scope.Scope>
    /** Keeps a place for an event at the first inlet that has one. */
    placeFor(event: ComingEvent): Place | undefined
  }
>()("@runhook/core/runtime/DeliveryInlets") {
  static readonly layer = Layer.sync(DeliveryInlets, () => {
    const inlets = new Set<DeliveryInlet>()
    return DeliveryInlets.of({
      open: (inlet) =>
        Effect.acquireRelease(
          Effect.sync(() => inlets.add(inlet)),
          () => Effect.sync(() => inlets.delete(inlet))
        ),
      placeFor: (event) => {
        for (const inlet of inlets) {
          const kept = inlet.reservePlace(event)
          if (kept !== null) return { kept, dispatcher: inlet.dispatcher, lease: inlet.lease }
        }
        return undefined
      }
    })
  })
}
