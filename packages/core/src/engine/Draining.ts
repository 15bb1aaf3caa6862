/** Whether the service is about to stop. Every wait then ends and answers. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Signals } from "../signals/Signals.ts"

export class Draining extends Context.Service<Draining>()("@runhook/core/engine/Draining", {
  make: Effect.gen(function* () {
    const signals = yield* Signals
    const begun = yield* Deferred.make<void>()
    return {
      hasBegun: Deferred.isDone(begun),
      /** Waits until it has begun. */
      begun: Deferred.await(begun),
      /** Ends every wait. There is no way back. */
      begin: Effect.andThen(Deferred.succeed(begun, undefined), signals.notify(["draining"]))
    }
  })
}) {
  static readonly layer = Layer.effect(Draining, Draining.make)
}
