/** Queue executions, follow them, stop them, fetch what they captured. */
import { ArtifactId, ExecutionId, InputId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { forKeys } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Forbidden, NotFound } from "../Errors.ts"
import { conditional } from "../openapi/Conditional.ts"
import { callsBack } from "../openapi/Webhooks.ts"
import { BodyRuleStatus, JudgedByItem, KeyedByItem } from "../RequestRules.ts"
import { cancelEndpoints } from "../cancels/CancelEndpoints.ts"
import { answerAt, executionEndpoints, listQuery } from "./ExecutionEndpoints.ts"
import { ExecutionArtifacts } from "../artifacts/ArtifactWire.ts"
import { BatchAnswer, BatchBody } from "./BatchWire.ts"
import { CancelManyBody, JobDetail } from "../cancels/CancelJobWire.ts"
import { pageOf } from "../shared/Envelope.ts"
import {
  CreateExecutionBody,
  creatingHeaders,
  ExecutionDetail,
  ExecutionItem,
  RerunBody
} from "./ExecutionWire.ts"

const one = executionEndpoints(
  {},
  {
    create: CreateExecutionBody,
    detail: ExecutionDetail,
    artifacts: ExecutionArtifacts,
    rerun: RerunBody,
    examples: {
      create:
        "const { execution_id } = await runhook.executions.create({ agent_id, task_id, params: { url }, reference: order.id, callback_url }, { idempotencyKey: order.id })",
      validate: "await runhook.executions.validate({ agent_id, task_id, params: { url } })"
    }
  }
)

const many = cancelEndpoints({}, { body: CancelManyBody, detail: JobDetail })

export class ExecutionEndpoints extends HttpApiGroup.make("executions")
  .add(
    one.create
      .annotate(OpenApi.Transform, callsBack("execution", "The execution enters a status", "ExecutionEvent"))
      .annotateMerge(
        operation({
          summary: "Queue an execution",
          description:
            "Queues a run of a task on an agent. With an `Idempotency-Key`, a repeat of the request answers 200 with the execution that the first one made. `validate_only=true` checks everything and stores nothing."
        })
      ),
    HttpApiEndpoint.post("createBatch", "/executions/batch", {
      headers: Struct.omit(creatingHeaders, ["idempotency-key"]),
      payload: BatchBody,
      success: BatchAnswer,
      error: Forbidden
    })
      .annotateMerge(
        operation({
          kind: "batch",
          summary: "Queue many executions",
          description:
            "Does for each item what a single create does, and answers each by itself, in their order: an item that is refused keeps no other from being queued. The request counts as one for the rate of the key, and the items have a rate of their own, the `batch_rate_limit` of `GET /me`: those beyond it are refused with 429, and come again after the `retry_after_seconds` in their `details`. With an `idempotency_key` in every item, the whole request can be repeated; an `Idempotency-Key` header is refused.",
          says: "Queues up to 500 executions with one request, each judged and answered by itself: look at the `status` of each answer, as that of a `create`. An item without an `idempotency_key` gets one, so that a retry makes nothing twice. Items refused with 429 or failed with 5xx are sent again, as a `create` would be, after the time that they name. What is still refused at the end of the retries or the time is answered as it is.",
          example:
            "const { data } = await runhook.executions.createBatch([{ agent_id, task_id, params: { url }, reference: order.id }])\nfor (const { index, execution, error } of data) console.log(index, execution?.execution_id ?? error?.message)",
          python: 'answered = runhook.executions.create_batch([{"agent_id": agent.id, "task_id": task.id}])'
        })
      )
      .annotate(BodyRuleStatus, 422)
      .annotate(JudgedByItem, ["items"])
      .annotate(KeyedByItem, true),
    HttpApiEndpoint.get("list", "/executions", {
      query: listQuery,
      success: pageOf("ExecutionPage", ExecutionItem),
      error: Forbidden
    }).annotateMerge(
      operation({
        summary: "List executions",
        description: "The executions of the account, newest first, filtered by the query.",
        example:
          'for await (const { id, status } of runhook.executions.list({ status: ["queued", "running"] })) console.log(id, status)',
        python:
          'for execution in runhook.executions.list(status=["queued", "running"]):\n    print(execution.id, execution.status)'
      })
    ),
    one.get.annotate(OpenApi.Transform, conditional).annotateMerge(
      operation({
        description:
          "The execution and its files. With `wait`, in seconds up to 60, the answer comes as soon as it is finished or awaits input, and after that time at the latest.",
        overHttp:
          "With `wait` and `If-None-Match`, it comes as soon as the execution is finished or differs from what the caller has."
      })
    ),
    one.cancel.annotateMerge(
      operation({
        summary: "Cancel an execution",
        description:
          "Stops an execution: it becomes `aborted`. A finished one keeps its status, and the answer says `already_finished`."
      })
    ),
    many.cancelAll.annotateMerge(
      operation({
        description:
          "Begins a job that stops every execution that matches and was created by now, within the tasks and agents of the key: each becomes `aborted`, with its callback, as by a single cancel. With an `Idempotency-Key`, a repeat of the request answers 200 with the job that the first one began. With `dry_run` it says how many match, and begins nothing."
      })
    ),
    many.job,
    many.cancelJob,
    one.release,
    one.rerun.annotateMerge(
      operation({
        description:
          "Queues a new execution of the same work: with the same agent, reference, metadata and callbacks, and its params unless others are given. Its `rerun_of` names the original, which stays as it is."
      })
    ),
    one.reschedule,
    one.events,
    one.logs,
    one.explain,
    one.evidence,
    one.artifacts.annotateMerge(
      operation({
        summary: "Files and signed video URLs",
        description:
          "Everything the run has captured so far. Videos have signed URLs, which soon expire; files have stable links."
      })
    ),
    HttpApiEndpoint.get("file", "/executions/:id/files/:fileId", {
      params: { id: ExecutionId, fileId: ArtifactId },
      success: HttpApiSchema.WithHeaders(HttpApiSchema.Empty(302), { location: Schema.String }),
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: "files.download",
        kind: "stream",
        summary: "Download one file",
        description: "Redirects to a signed URL of the file, which soon expires. The link itself is stable.",
        params: ["execution_id", "id"],
        example:
          "const response = await runhook.files.download(file)\nconst bytes = new Uint8Array(await response.arrayBuffer())"
      })
    ),
    one.inputs,
    answerAt("/executions/:id/inputs/:inputId", { id: ExecutionId, inputId: InputId })
  )
  .annotate(OpenApi.Description, "Queue executions, follow them, fetch what they captured.")
  .pipe(forKeys) {}
