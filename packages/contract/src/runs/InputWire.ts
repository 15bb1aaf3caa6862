/** Questions of running work, and their answers, on the wire. */
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { ExecutionId, InputId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { isStorable } from "@runhook/core/shared/json/JsonText"
import { InputMode, InputTimeout } from "@runhook/core/runs/InputRequest"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"

export const InputItem = Schema.Struct({
  input_id: InputId,
  input_key: Schema.String,
  prompt: Schema.String,
  schema: KnownJsonObject.pipe(described("JSON Schema of the answer.")),
  mode: InputMode,
  on_timeout: InputTimeout,
  asked_at: Timestamp,
  expires_at: Timestamp,
  answered_at: Schema.NullOr(Timestamp),
  value: Schema.Json.pipe(described("The answer; null until answered."))
}).annotate({ identifier: "InputRequest", description: "A question that the work asked." })

export const InputList = bodyOf("InputList", "Every question, oldest first.", {
  data: Schema.Array(InputItem)
})

export const AnswerBody = Schema.Struct({
  value: Schema.Json.check(isStorable).pipe(described("By the question's schema."))
}).annotate({
  identifier: "AnswerInput",
  description: "The answer, by the question's schema."
})

export const InputAnswered = bodyOf("InputAnswered", "The answer was taken.", {
  execution_id: ExecutionId,
  input_id: InputId,
  status: ExecutionStatus
})
