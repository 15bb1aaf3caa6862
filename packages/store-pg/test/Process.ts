/** Processes of one service on the database of a test. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerProcess, type Options } from "./ProcessLayer.ts"
import { TestDatabase } from "./TestDatabase.ts"

/** A process that ends with the scope. */
export const aProcess = Effect.fnUntraced(function* (options: Options = {}) {
  const { url } = yield* TestDatabase
  const services = yield* Layer.build(Layer.fresh(layerProcess(url, options)))
  return {
    /** Has the process do something. */
    does: Effect.provideContext(services)
  }
})

export type Process = Effect.Success<ReturnType<typeof aProcess>>
