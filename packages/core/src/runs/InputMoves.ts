/** The moves of a question: asked by the work, answered by its caller, or left unanswered. */
import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ExecutionId, InputId } from "../shared/Ids.ts"
import type { Json } from "../shared/json/Json.ts"
import type { InputRequest } from "./InputRequest.ts"
import type { LeaseLost } from "./Lease.ts"
import { leaseHeld } from "./LeaseMoves.ts"
import { type Change, enter, IllegalTransition, movedAt, type Run, unchanged } from "./Run.ts"

/** No such question was asked by the execution. */
export class InputNotFound extends Schema.TaggedError<InputNotFound>()("InputNotFound", {
  executionId: ExecutionId,
  id: InputId
}) {
  override get message() {
    return `Execution ${this.executionId} has no input ${this.id}`
  }
}

/** The question has another answer, or is no longer open. */
export class InputClosed extends Schema.TaggedError<InputClosed>()("InputClosed", {
  id: InputId,
  reason: Schema.Literals(["already_answered", "no_longer_awaited"])
}) {
  override get message() {
    return this.reason === "already_answered"
      ? `Input ${this.id} was already answered with another value`
      : `Nobody waits for input ${this.id} any more`
  }
}

/** The change, and the question as it now is. */
export interface AskedQuestion {
  readonly change: Change
  readonly input: InputRequest
}

/**
 * The runner asks. Asking again under the same key finds the same question: always within one attempt, and in a
 * later one if it was answered, since the caller was told that the answer counts.
 */
export const ask = (
  run: Run,
  options: { readonly epoch: number; readonly input: InputRequest; readonly at: DateTime.Utc }
): Result.Result<AskedQuestion, LeaseLost | IllegalTransition> => {
  const { epoch, at } = options
  const input = { ...options.input, askedAt: movedAt(run, options.input.askedAt) }
  const asked = run.attemptEpoch === epoch ? questionOf(run, input) : undefined
  if (asked !== undefined) return Result.succeed({ change: unchanged(run), input: asked })
  return Result.flatMap(leaseHeld(run, epoch), () => {
    if (run.execution.status !== "running") {
      return Result.fail(
        new IllegalTransition({ id: run.execution.id, from: run.execution.status, to: "awaiting_input" })
      )
    }
    const inputs = [...run.inputs, input]
    const freed = input.mode === "release" ? { lease: null, deadlineAt: null } : {}
    const patch = { execution: { inputRequest: input }, run: { inputs, ...freed } }
    return Result.succeed({ change: enter(run, "awaiting_input", at, patch), input })
  })
}

/**
 * The question of the current attempt under this key, or an earlier one that was answered and has the same schema.
 */
const questionOf = (
  { execution: { startedAt }, inputs }: Run,
  { key, schema }: InputRequest
): InputRequest | undefined =>
  startedAt === null
    ? undefined
    : inputs.findLast(
        (input) =>
          input.key === key &&
          (DateTime.isGreaterThanOrEqualTo(input.askedAt, startedAt) ||
            (input.answeredAt !== null && Equal.equals(input.schema, schema)))
      )

/**
 * Answers a question. Work that kept its runner goes on running; work that released
 * it is queued again, at once.
 */
export const answer = (
  run: Run,
  options: { readonly inputId: InputId; readonly value: Json; readonly at: DateTime.Utc }
): Result.Result<Change, InputNotFound | InputClosed> => {
  const { inputId, value, at } = options
  const input = run.inputs.find(({ id }) => id === inputId)
  if (input === undefined)
    return Result.fail(new InputNotFound({ executionId: run.execution.id, id: inputId }))
  if (input.answeredAt !== null) {
    return Equal.equals(input.value, value)
      ? Result.succeed(unchanged(run))
      : Result.fail(new InputClosed({ id: inputId, reason: "already_answered" }))
  }
  return run.execution.inputRequest?.id === inputId
    ? Result.succeed(resume(run, { input, value, at }))
    : Result.fail(new InputClosed({ id: inputId, reason: "no_longer_awaited" }))
}

const resume = (
  run: Run,
  { input, value, at }: { readonly input: InputRequest; readonly value: Json; readonly at: DateTime.Utc }
): Change => {
  const answeredAt = movedAt(run, at)
  const inputs = run.inputs.map((each) => (each.id === input.id ? { ...input, value, answeredAt } : each))
  const execution = { inputRequest: null }
  return input.mode === "release"
    ? enter(run, "queued", at, { execution, run: { inputs, dueAt: at, attemptEpoch: null } })
    : enter(run, "running", at, { execution, run: { inputs, deadlineAt: extended(run, input, answeredAt) } })
}

/** Time spent waiting for an answer does not count as running. */
const extended = (run: Run, input: InputRequest, at: DateTime.Utc): DateTime.Utc | null =>
  run.deadlineAt === null ? null : DateTime.addDuration(run.deadlineAt, DateTime.distance(input.askedAt, at))

/** Whether the run's question has run out of time. */
const isInputOverdue = ({ execution }: Run, at: DateTime.Utc): boolean =>
  execution.inputRequest !== null && DateTime.isLessThanOrEqualTo(execution.inputRequest.expiresAt, at)

/** No answer came in time: does what the runner asked for in that case. */
export const expireInput = (run: Run, at: DateTime.Utc): Change => {
  const input = run.execution.inputRequest
  if (input === null || !isInputOverdue(run, at)) return unchanged(run)
  const epoch = run.execution.epoch + 1
  const freed = { lease: null, deadlineAt: null }
  const message = `input "${input.key}" was not answered in time`
  switch (input.onTimeout) {
    case "default":
      return resume(run, { input, value: input.defaultValue, at })
    case "error":
      return enter(run, "error", at, { execution: { errorMessage: message, epoch }, run: freed })
    case "cancel":
      return enter(run, "cancelled", at, { execution: { statusReason: message, epoch }, run: freed })
  }
}
