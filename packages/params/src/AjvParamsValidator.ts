/** JSON Schema drafts 2020-12 and 07, by ajv, with bounds on everything that a schema or a value can cost. */
import { ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Validator from "./Validator.ts"
import * as WorkerPool from "./workers/WorkerPool.ts"

export { compiledSchemasMax, valueDepthMax } from "./Validator.ts"

/** With thread options of the host's choice. */
export const layerWith = (options: Partial<WorkerPool.PoolOptions>): Layer.Layer<ParamsValidator> =>
  Layer.effect(
    ParamsValidator,
    Effect.map(WorkerPool.make({ ...WorkerPool.defaultOptions, ...options }), Validator.make)
  )

export const layer: Layer.Layer<ParamsValidator> = layerWith({})
