/** Whether the service is about to stop: who waits for something ends its wait and answers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { Signals } from "./ports/Signals.ts"

export class Draining extends Context.Service<
  Draining,
  {
    readonly hasBegun: Effect.Effect<boolean>
    /** Ends every wait. There is no way back. */
    readonly begin: Effect.Effect<void>
  }
>()("@runhook/core/Draining") {
  static readonly layer = Layer.effect(
    Draining,
    Effect.gen(function* () {
      const signals = yield* Signals
      const begun = yield* Ref.make(false)
      return Draining.of({
        hasBegun: Ref.get(begun),
        begin: Effect.andThen(Ref.set(begun, true), signals.notify(["draining"]))
      })
    })
  )
}
