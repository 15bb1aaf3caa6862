/** Whether the service is about to stop. Every wait then ends and answers. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Signals } from "../ports/Signals.ts"

export class Draining extends Context.Service<
  Draining,
  {
    readonly hasBegun: Effect.Effect<boolean>
    /** Waits until it has begun. */
    readonly begun: Effect.Effect<void>
    /** Ends every wait. There is no way back. */
    readonly begin: Effect.Effect<void>
  }
>()("@runhook/core/runtime/Draining") {
  static readonly layer = Layer.effect(
    Draining,
    Effect.gen(function* () {
      const signals = yield* Signals
      const begun = yield* Deferred.make<void>()
      return Draining.of({
        hasBegun: Deferred.isDone(begun),
        begun: Deferred.await(begun),
        begin: Effect.andThen(Deferred.succeed(begun, undefined), signals.notify(["draining"]))
      })
    })
  )
}
