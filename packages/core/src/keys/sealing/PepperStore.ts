/** Keeps the one pepper of the service, sealed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class PepperStore extends Context.Service<
  PepperStore,
  {
    /** The sealed pepper, or null before the first start. As long as there is none, nothing else is sealed. */
    readonly find: Effect.Effect<string | null>

    /**
     * Keeps this sealed pepper unless there is one, and answers the one that is kept,
     * so processes that start at once all get the same.
     */
    findOrKeep(sealed: string): Effect.Effect<string>
  }
>()("@runhook/core/keys/sealing/PepperStore") {}
