/** What the holder of a key and the members of an account do with executions alike. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { operation } from "../Call.ts"
import { Conflict, Forbidden, NotFound } from "../Errors.ts"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { BodyRuleStatus } from "../RequestRules.ts"
import { described } from "../shared/Described.ts"
import { optional, pageQuery } from "../shared/Envelope.ts"
import {
  CancelBody,
  ExecutionCancelled,
  ExecutionCreated,
  executionFilter,
  ExecutionReleased,
  ExecutionReplayed,
  creatingHeaders,
  WouldCreate
} from "./ExecutionWire.ts"
import { ExecutionRescheduled, RescheduleBody } from "./HistoryWire.ts"
import { recordEndpoints } from "./ExecutionRecordEndpoints.ts"
import { AnswerBody, InputAnswered, InputList } from "../runs/InputWire.ts"

export const creatingQuery = {
  validate_only: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
    described("`true` validates without queuing.")
  )
}

export const listQuery = { ...executionFilter, ...pageQuery }

/** What is asked of one execution: `path` is what names its account, `view` how it is created, shown and run again. */
export const executionEndpoints = <
  const Path extends Schema.Struct.Fields,
  Create extends Schema.Top,
  Detail extends Schema.Top,
  Artifacts extends Schema.Top,
  Rerun extends Schema.Top
>(
  path: Path,
  view: {
    readonly create: Create
    readonly detail: Detail
    readonly artifacts: Artifacts
    readonly rerun: Rerun
    readonly examples: { readonly create: string; readonly validate: string }
  }
) => {
  const params = { ...path, id: ExecutionId }
  return {
    create: HttpApiEndpoint.post("create", "/executions", {
      params: path,
      headers: creatingHeaders,
      query: creatingQuery,
      payload: view.create,
      success: [
        ExecutionCreated.pipe(HttpApiSchema.status(201)),
        Schema.Union([ExecutionReplayed, WouldCreate])
      ],
      error: [Conflict, Forbidden]
    })
      .annotateMerge(
        operation({
          kind: "once",
          says: "Queues an execution. A repeat under the same idempotency key makes no second one: it answers `idempotent_replay: true` and the same id.",
          fails: {
            invalid_params: "`params` break the task's schema",
            idempotency_conflict: "the key was used with another body",
            concurrency_limit_reached: "too many executions are unfinished"
          },
          answers: [ExecutionCreated, ExecutionReplayed],
          example: view.examples.create,
          python:
            'execution = runhook.executions.create(\n    agent_id=agent.id, task_id=task.id, params={"url": url}, idempotency_key=order.id\n)',
          also: [
            {
              path: "executions.validate",
              says: "Checks a request without queuing anything. Fails as `create` would.",
              isRepeatable: true,
              query: { validate_only: true },
              answers: [WouldCreate],
              example: view.examples.validate
            }
          ]
        })
      )
      .annotate(BodyRuleStatus, 422),
    get: HttpApiEndpoint.get("get", "/executions/:id", {
      params,
      query: { wait: Schema.optionalKey(inQuery(queryNumbers.wait)) },
      success: view.detail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        summary: "Get one execution",
        fails: { not_found: "there is none of that id" },
        example: "const { status, result, downloads } = await runhook.executions.get(id, { wait: 60 })"
      })
    ),
    cancel: HttpApiEndpoint.post("cancel", "/executions/:id/cancel", {
      params,
      payload: optional(CancelBody),
      success: ExecutionCancelled,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        isRepeatable: true,
        example: 'await runhook.executions.cancel(id, { reason: "The order was withdrawn" })'
      })
    ),
    release: HttpApiEndpoint.post("release", "/executions/:id/release", {
      params,
      success: ExecutionReleased,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        summary: "Queue a held execution",
        description: "Queues an execution that was created with `hold`. Any other stays as it is.",
        isRepeatable: true,
        example: "await runhook.executions.release(id)"
      })
    ),
    rerun: HttpApiEndpoint.post("rerun", "/executions/:id/rerun", {
      params,
      headers: creatingHeaders,
      payload: optional(view.rerun),
      success: [ExecutionCreated.pipe(HttpApiSchema.status(201)), ExecutionReplayed],
      error: [Conflict, Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          kind: "once",
          summary: "Run an execution again",
          example: 'const { execution_id } = await runhook.executions.rerun(id, { version: "current" })'
        })
      )
      .annotate(BodyRuleStatus, 422),
    reschedule: HttpApiEndpoint.patch("reschedule", "/executions/:id", {
      params,
      payload: RescheduleBody,
      success: ExecutionRescheduled,
      error: [Conflict, Forbidden, NotFound]
    }).annotateMerge(
      operation({
        summary: "Change when an execution starts",
        description: "Changes when an execution starts, as long as it is pending or queued.",
        overHttp: "409 once a runner has it.",
        fails: { invalid_request: "a runner has it" },
        example: "await runhook.executions.reschedule(id, { priority: 100, scheduled_at: null })"
      })
    ),
    ...recordEndpoints(path),
    artifacts: HttpApiEndpoint.get("artifacts", "/executions/:id/artifacts", {
      params,
      success: view.artifacts,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({ example: "const { downloads, videos } = await runhook.executions.artifacts(id)" })
    ),
    inputs: HttpApiEndpoint.get("inputs", "/executions/:id/inputs", {
      params,
      success: InputList,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        summary: "What the work asked for",
        description: "Every question that the work has asked, answered or not, oldest first.",
        example: "const { data } = await runhook.executions.inputs(id)"
      })
    )
  }
}

/** The answer to a question of the work, whose id has a name of its own in each API's path. */
export const answerAt = <const Path extends `/${string}`, const Params extends Schema.Struct.Fields>(
  path: Path,
  params: Params
) =>
  HttpApiEndpoint.post("answer", path, {
    params,
    payload: AnswerBody,
    success: InputAnswered,
    error: [Conflict, Forbidden, NotFound]
  }).annotateMerge(
    operation({
      summary: "Answer the work",
      description:
        "Gives the value that the work asked for. It must satisfy the question's schema. Repeating an equal answer is harmless.",
      fails: { invalid_params: "the answer breaks the question's schema" },
      isRepeatable: true,
      example: 'await runhook.executions.answer({ execution_id, input_id }, { value: "123456" })'
    })
  )
