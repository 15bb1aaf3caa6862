/**
 * The same verdicts without threads: large values block the process while they are checked. For tests and bundles; a
 * service that accepts untrusted schemas needs `AjvParamsValidator`.
 */
import { ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Validator from "./Validator.ts"
import { makePerform } from "./workers/SchemaWork.ts"

export const layer: Layer.Layer<ParamsValidator> = Layer.effect(
  ParamsValidator,
  Effect.sync(() => {
    const perform = makePerform()
    return Validator.make({ run: (_accountId, work) => Effect.sync(() => perform(work)) })
  })
)
