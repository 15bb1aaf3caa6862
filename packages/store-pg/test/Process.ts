/** Processes of one service on the database of a test. */
import { citus } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { layerProcess, type Options } from "./ProcessLayer.ts"
import { TestDatabase } from "./TestDatabase.ts"

/** A process that ends with the scope; by another way to the database, if one is named. */
export const makeProcess = Effect.fnUntraced(function* ({
  url,
  isDistributed = citus !== undefined,
  ...options
}: Options & { readonly url?: Redacted.Redacted } = {}) {
  const database = yield* TestDatabase
  const services = yield* Layer.build(
    Layer.fresh(layerProcess(url ?? database.url, { ...options, isDistributed }))
  )
  return {
    /** Has the process do something. */
    does: Effect.provideContext(services)
  }
})

export type Process = Effect.Success<ReturnType<typeof makeProcess>>
