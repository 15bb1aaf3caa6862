/** The pepper in memory. */
import { PepperStore } from "@runhook/core/ports/PepperStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layer: Layer.Layer<PepperStore> = Layer.sync(PepperStore, () => {
  let kept: string | undefined
  return PepperStore.of({
    find: Effect.sync(() => kept ?? null),
    findOrKeep: (sealed) => Effect.sync(() => (kept ??= sealed)),
    reseal: ({ from, to }) =>
      Effect.sync(() => {
        if (kept === from) kept = to
      })
  })
})
