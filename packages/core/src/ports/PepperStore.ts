/** Keeps the one pepper of the service, sealed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class PepperStore extends Context.Service<
  PepperStore,
  {
    /** The sealed pepper that is kept, or null before the first start: as long as there is none, nothing else is sealed. */
    readonly find: Effect.Effect<string | null>

    /** Keeps this sealed pepper unless there is one, and answers the one that is kept: processes that start at once all get the same. */
    findOrKeep(sealed: string): Effect.Effect<string>

    /** Puts another seal of the same pepper in place of `from`. Changes nothing when another process has done so before. */
    reseal(options: { readonly from: string; readonly to: string }): Effect.Effect<void>
  }
>()("@runhook/core/ports/PepperStore") {}
