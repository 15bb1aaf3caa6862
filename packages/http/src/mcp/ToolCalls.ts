/** Calls of tools: each queues an execution of its task, or does something with one that is there. */
import { CurrentActor } from "@runhook/core/audit/Actor"
import { Slug, type TaskView } from "@runhook/core/catalog/Task"
import { ExecutionId, InputId } from "@runhook/core/shared/Ids"
import { isJsonObject, type Json } from "@runhook/core/shared/json/Json"
import { type ApiKeyRecord, isCapable } from "@runhook/core/keys/ApiKeyRecord"
import { checkScope, scopeOf } from "@runhook/core/keys/KeyScope"
import { InvalidField } from "@runhook/core/shared/Refusals"
import { InputNotFound } from "@runhook/core/runs/InputMoves"
import { type ChangedExecution, Executions } from "@runhook/core/executions/Executions"
import { Inputs } from "@runhook/core/runs/Inputs"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { callerWith, stillOpen } from "../authentication/CurrentCaller.ts"
import { toApiError, toCreateError } from "../errors/ErrorTable.ts"
import { issuesIn } from "../errors/SchemaIssues.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import { formOf } from "./Elicitation.ts"
import { makeFollowedCall } from "./FollowedCall.ts"
import { clientOf } from "./Protocol.ts"
import { argumentsOf, type ToolCall, makeTaskCalls } from "./TaskCalls.ts"
import { failedWith, stopped } from "./ToolResults.ts"
import { callSecondsMax, ownTools } from "./Tools.ts"

const Named = Schema.Struct({ execution_id: ExecutionId })
const Waiting = Schema.Struct({
  ...Named.fields,
  wait_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: callSecondsMax }))
  )
})
const Answering = Schema.Struct({ ...Named.fields, value: Schema.Json })

const waitSecondsDefault = 20

/** What a client without a session brings back of an earlier try. */
const Continued = Schema.Struct({
  requestState: ExecutionId,
  inputResponses: Schema.Record(InputId, Schema.Json)
})

export const makeToolCalls = Effect.gen(function* () {
  const executions = yield* Executions
  const inputs = yield* Inputs
  const followed = yield* makeFollowedCall
  const { queue, taskOf } = yield* makeTaskCalls

  const follow = Effect.fnUntraced(function* (
    caller: ApiKeyRecord,
    { request }: ToolCall,
    options: {
      readonly id: ExecutionId
      readonly seconds: number
      readonly hasPromised: boolean
      readonly isCall?: boolean
    }
  ) {
    yield* callerWith("executions:read")
    const call = yield* CurrentCall
    const client = clientOf(request.params, call.request.headers)
    const ref = changedBy(caller, options.id)
    const abort = executions
      .stop({ ...ref, to: "aborted", reason: "The client closed the call" })
      .pipe(Effect.provideService(CurrentActor, yield* CurrentActor), Effect.ignore)
    return followed({
      id: request.id,
      ref,
      client,
      call,
      // That is how a client without a session cancels a call.
      whenClosed: client.isStateless && options.isCall ? abort : Effect.void,
      key: yield* stillOpen,
      seconds: options.seconds,
      hasPromised: options.hasPromised,
      mayReadFiles: isCapable(caller, "artifacts:read")
    })
  })

  /** Answers a question by what a person entered; nothing if they did not want to. */
  const answerForm = Effect.fnUntraced(function* (ref: ChangedExecution, inputId: InputId, given: Json) {
    const { action, content = {} } = isJsonObject(given) ? given : {}
    if (action !== "accept") return
    const asked = (yield* inputs.list(ref)).find(({ id }) => id === inputId)
    if (asked === undefined) return yield* new InputNotFound({ executionId: ref.id, id: inputId })
    const value = isJsonObject(content) ? formOf(asked.schema).answerIn(content) : undefined
    if (value === undefined)
      return yield* new InvalidField({ path: ["content"], rule: "does not answer the question" })
    yield* inputs.answer({ ...ref, inputId, value })
  })

  const ofTask = Effect.fnUntraced(function* (given: ToolCall, view: TaskView) {
    const caller = yield* callerWith("executions:write")
    const continued = Schema.decodeUnknownOption(Continued)(given.request.params)
    const hasPromised = view.resultSchema !== null
    if (continued._tag === "None") {
      const id = yield* queue(caller, view, given)
      return yield* follow(caller, given, { id, seconds: callSecondsMax, hasPromised, isCall: true })
    }
    const { inputResponses, requestState: id } = continued.value
    const ref = changedBy(caller, id)
    const found = yield* executions.get(ref)
    yield* Effect.fromResult(checkScope(ref, found))
    if (found.taskId !== view.task.id)
      return yield* new InvalidField({ path: ["requestState"], rule: "must be an execution of this tool" })
    for (const [inputId, response] of Object.entries(inputResponses))
      yield* answerForm(ref, InputId.make(inputId), response)
    const isAnswered = Object.values(inputResponses).every(
      (response) => isJsonObject(response) && response["action"] === "accept"
    )
    // Who did not want to answer is not asked again.
    return yield* follow(caller, given, {
      id,
      seconds: isAnswered ? callSecondsMax : 0,
      hasPromised,
      isCall: true
    })
  }, toCreateError)

  const own = {
    get_execution: Effect.fnUntraced(function* (given: ToolCall) {
      const caller = yield* callerWith("executions:read")
      const { execution_id: id, wait_seconds: seconds = waitSecondsDefault } = yield* decoded(Waiting, given)
      yield* executions.get({ accountId: caller.accountId, id })
      return yield* follow(caller, given, { id, seconds, hasPromised: false })
    }, toApiError),

    answer_execution: Effect.fnUntraced(function* (given: ToolCall) {
      const caller = yield* callerWith("executions:write")
      const { execution_id: id, value } = yield* decoded(Answering, given)
      const { inputRequest } = yield* executions.get({ accountId: caller.accountId, id })
      if (inputRequest === null) return failedWith("The execution has no open question")
      yield* inputs.answer({ ...changedBy(caller, id), inputId: inputRequest.id, value })
      return yield* follow(caller, given, { id, seconds: waitSecondsDefault, hasPromised: false })
    }, toApiError),

    cancel_execution: Effect.fnUntraced(function* (given: ToolCall) {
      const caller = yield* callerWith("executions:write")
      const { execution_id: id } = yield* decoded(Named, given)
      const ref = changedBy(caller, id)
      const { changed, run } = yield* executions.stop({ ...ref, to: "aborted", reason: null })
      return stopped(run.execution, changed)
    }, toApiError)
  }

  return {
    answerForm,

    /** Calls a tool. Undefined if there is none of that name. */
    call: Effect.fnUntraced(function* (given: ToolCall) {
      const { name = null } = given.request.params
      const slug = String(name)
      if (isOwn(slug)) return yield* own[slug](given)
      if (!Schema.is(Slug)(slug)) return undefined
      const view = yield* Effect.flatMap(callerWith("catalog:read"), (caller) => taskOf(caller, slug)).pipe(
        toApiError
      )
      return view && (yield* ofTask(given, view))
    })
  }
})

const isOwn = (name: string): name is "answer_execution" | "cancel_execution" | "get_execution" =>
  ownTools.some((tool) => tool.name === name)

/** An execution that the holder of a key changes. */
export const changedBy = (caller: ApiKeyRecord, id: ExecutionId): ChangedExecution => ({
  accountId: caller.accountId,
  id,
  scope: scopeOf(caller)
})

/** The arguments of a tool of the service's own. */
const decoded = <A>(schema: Schema.Codec<A, unknown>, { request }: ToolCall) =>
  Effect.flatMap(argumentsOf(request), (given) =>
    Effect.mapError(Schema.decodeUnknownEffect(schema)(given), ({ issue }) => {
      const [first] = issuesIn("arguments", issue)
      return new InvalidField({
        path: first?.path ?? ["arguments"],
        rule: first?.message ?? "cannot be read"
      })
    })
  )
