/** Many executions in one request: each item is judged and answered by itself. */
import { IdempotencyKey } from "@runhook/core/executions/create/CreateExecution"
import * as Schema from "effect/Schema"
import { ErrorObject } from "../Errors.ts"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"
import { CreateExecutionBody, ExecutionCreated, ExecutionReplayed } from "./ExecutionWire.ts"
import { judgedAs } from "../shared/JudgedItem.ts"

/** The most executions of one request. */
export const batchMax = 500

/** A `CreateExecutionBody` with the key that a single create has in its header. */
export const BatchItemBody = Schema.Struct({
  ...CreateExecutionBody.fields,
  idempotency_key: Schema.optionalKey(IdempotencyKey).pipe(
    described("As the header `Idempotency-Key` of a single create.")
  )
}).annotate({ identifier: "BatchItem", description: "One request of several to queue an execution." })

export const BatchBody = Schema.Struct({
  items: Schema.Array(judgedAs("BatchItem", BatchItemBody)).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(batchMax)
  )
}).annotate({ identifier: "CreateExecutions", description: "Requests to queue executions." })

export const BatchItemAnswer = Schema.Struct({
  index: Schema.Int.pipe(described("Its place among the items, from 0.")),
  status: Schema.Int.pipe(described("The status with which a single create would be answered.")),
  execution: Schema.optionalKey(Schema.Union([ExecutionCreated, ExecutionReplayed])),
  error: Schema.optionalKey(ErrorObject)
}).annotate({
  identifier: "BatchItemAnswer",
  description: "What a single create would have answered: the execution, or the error."
})

export const BatchAnswer = bodyOf("ExecutionsCreated", "An answer to each item, in their order.", {
  data: Schema.Array(BatchItemAnswer)
})
