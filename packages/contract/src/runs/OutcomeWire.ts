/** Outcomes of work, reported alone or with a claim. */
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { retryWaitMax } from "@runhook/core/executions/RetryBackoff"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { isStorable } from "@runhook/core/shared/json/JsonText"
import { errorMessageLengthMax } from "@runhook/core/runs/EndMoves"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { ErrorObject } from "../Errors.ts"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"
import { judgedAs } from "../shared/JudgedItem.ts"
import { saidLines } from "../executions/LogWire.ts"
import { count, Epoch, text } from "./RunnerFields.ts"

export const CompleteBody = Schema.Struct({
  epoch: Epoch,
  outcome: Schema.Literals(["completed", "error", "cancelled"]),
  result: Schema.optionalKey(Schema.NullOr(KnownJsonObject.check(isStorable))).pipe(
    described("What the work produced, with the outcome completed only. null: none, as when left out.")
  ),
  error: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        message: text(1, errorMessageLengthMax),
        retryable: Schema.optionalKey(Schema.Boolean),
        delay_ms: Schema.optionalKey(count(0, Duration.toMillis(retryWaitMax))).pipe(
          described(
            "Milliseconds to wait before the next attempt, with `retryable`; by the task's policy unless given."
          )
        )
      })
    )
  ).pipe(
    described(
      "Why it failed, required with the outcome error; or why it was cancelled. null: none, as when left out."
    )
  ),
  logs: saidLines
}).annotate({ identifier: "CompleteExecution" })

/** What follows the end of an attempt. */
const Ending = {
  status: ExecutionStatus,
  retry_in_ms: Schema.optionalKey(Schema.Int).pipe(
    described("Milliseconds until the next attempt may begin; only where the execution is queued again.")
  )
}

export const Completed = bodyOf("Completed", "The attempt is over.", Ending)

/** The work that an outcome belongs to. */
const OutcomeRef = Schema.Struct({ execution_id: ExecutionId, epoch: Epoch })

/** A `CompleteBody` with the execution it belongs to. */
export const OutcomeBody = Schema.Struct({
  execution_id: ExecutionId,
  ...CompleteBody.fields
}).annotate({
  identifier: "OutcomeReport",
  description: "How an execution ended: its id, and what `/complete` takes."
})

const readRef = SchemaParser.decodeUnknownResult(OutcomeRef)

/** An item of a list of outcomes: any object that names its work. */
export const OutcomeItem = judgedAs("OutcomeItem", OutcomeBody, (item, options) => {
  const read = readRef(item, { ...options, onExcessProperty: "ignore" })
  return Result.isFailure(read) ? read.failure : undefined
})

/** The work that an item names. */
export const outcomeRefOf = Schema.decodeUnknownSync(OutcomeRef)

/** The answer to one outcome of a list. */
export const OutcomeAnswer = Schema.Union([
  Schema.Struct({
    ...OutcomeRef.fields,
    accepted: Schema.Literal(true),
    ...Ending
  }),
  Schema.Struct({
    ...OutcomeRef.fields,
    accepted: Schema.Literal(false),
    http_status: Schema.Int.pipe(described("The status that `/complete` answers with this error.")),
    error: ErrorObject
  })
]).annotate({
  identifier: "OutcomeAnswer",
  description: "What `/complete` would have answered: the status of the execution, or the error."
})
