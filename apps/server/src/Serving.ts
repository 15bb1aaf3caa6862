/** Whether requests are answered by now: the socket listens a little earlier, as parts of the server ask for its address. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

export class Serving extends Context.Service<Serving, Latch.Latch>()("@runhook/server/Serving") {
  static readonly layer = Layer.effect(Serving, Latch.make())
}

/** Begins the service, and says when it begins to end: build it after everything that answers requests. */
export const begin = Layer.effectDiscard(
  Effect.acquireRelease(
    Effect.flatMap(Serving, (serving) => serving.open),
    () => Effect.logInfo("Stopping")
  )
)

/** Does something once requests are answered. */
export const whenServing = <E, R>(effect: Effect.Effect<void, E, R>) =>
  Layer.effectDiscard(
    Effect.flatMap(Serving, (serving) => Effect.forkScoped(Effect.andThen(serving.await, effect)))
  )
