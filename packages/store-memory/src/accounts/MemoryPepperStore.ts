/** The pepper in memory. */
import { PepperStore } from "@runhook/core/ports/PepperStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryDatabase } from "../MemoryDatabase.ts"

export const layer = Layer.effect(
  PepperStore,
  Effect.map(MemoryDatabase, ({ pepper }) =>
    PepperStore.of({
      find: Effect.sync(() => pepper.sealed),
      findOrKeep: (sealed) => Effect.sync(() => (pepper.sealed ??= sealed))
    })
  )
)
