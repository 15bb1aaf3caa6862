/** The executions of an account, as operators and members see and run them. */
import { Reference } from "@runhook/core/executions/Execution"
import { ArtifactId, ExecutionId, InputId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { DeclaredAccess } from "../Access.ts"
import { account, inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Conflict } from "../Errors.ts"
import { inRanges } from "../openapi/Ranges.ts"
import { cancelEndpoints } from "../cancels/CancelEndpoints.ts"
import { answerAt, executionEndpoints, listQuery } from "./ExecutionEndpoints.ts"
import { described } from "../shared/Described.ts"
import { AdminCancelManyBody, AdminJobDetail } from "../cancels/CancelJobWire.ts"
import { pageOf } from "../shared/Envelope.ts"
import {
  CreateExecutionAsBody,
  ExecutionViewArtifacts,
  ExecutionViewDetail,
  ExecutionViewItem,
  RerunAsBody
} from "./ExecutionViewWire.ts"

const execution = { ...account, id: ExecutionId }

const one = executionEndpoints(account, {
  create: CreateExecutionAsBody,
  detail: ExecutionViewDetail,
  artifacts: ExecutionViewArtifacts,
  rerun: RerunAsBody,
  examples: {
    create:
      "const { execution_id } = await account.executions.create({ key_id, agent_id, task_id, params: { url } })",
    validate: "await account.executions.validate({ key_id, agent_id, task_id, params: { url } })"
  }
})

const many = cancelEndpoints(account, { body: AdminCancelManyBody, detail: AdminJobDetail })

export class AdminExecutionEndpoints extends HttpApiGroup.make("executions")
  .add(
    one.create
      .annotateMerge(
        operation({
          summary: "Queue an execution in the name of a key",
          description:
            "Queues a run of a task as if the key had asked for it: within its tasks, agents and limits, with callbacks signed by its secret. `Idempotency-Key` and `validate_only` are as in the integration API."
        })
      )
      // Checking a request changes nothing; the handler requires more of a caller who queues one.
      .annotate(DeclaredAccess, "viewer"),
    HttpApiEndpoint.get("list", "/executions", {
      params: account,
      query: {
        ...listQuery,
        find: Schema.optionalKey(Reference).pipe(
          described(
            "The beginning of its id, of eight digits at least, or of its reference, in the same case."
          )
        )
      },
      success: pageOf("AdminExecutionPage", ExecutionViewItem)
    }).annotateMerge(
      operation({
        summary: "List executions",
        description:
          "The executions of the account, newest first, filtered by the query, with the names behind ids and the state of their callbacks.",
        example:
          'for await (const { id, status } of account.executions.list({ status: ["queued", "running"] })) console.log(id, status)'
      })
    ),
    one.get.annotateMerge(
      operation({
        description:
          "The execution, its files, and its progress by its runner's word. With `wait`, the answer comes as soon as it is finished or awaits input, or at the end of the wait."
      })
    ),
    one.reschedule,
    one.cancel.annotateMerge(
      operation({
        summary: "End an execution as cancelled",
        description:
          "Stops an execution in the name of the operator: it becomes `cancelled`. A finished one keeps its status."
      })
    ),
    many.cancelAll
      .annotateMerge(
        operation({
          description:
            "Begins a job that stops every execution that matches and was created by now, in the name of the operator: each becomes `cancelled`. `Idempotency-Key` is as in the integration API. With `dry_run` it says how many match, and begins nothing."
        })
      )
      // Dry runs are for viewers; the handler requires more when a job begins.
      .annotate(DeclaredAccess, "viewer"),
    many.job,
    many.cancelJob,
    HttpApiEndpoint.delete("remove", "/executions/:id", {
      params: execution,
      success: HttpApiSchema.NoContent,
      error: Conflict
    }).annotateMerge(
      operation({
        summary: "Remove an execution",
        description:
          "Removes a finished execution with its history, result, files, callbacks and `Idempotency-Key`. 409 before its end, and while a callback is being delivered. Files are deleted within the hour; counts of usage and the audit log stay.",
        example: "await account.executions.remove(execution_id)"
      })
    ),
    one.rerun.annotateMerge(
      operation({
        description:
          "Queues a new execution of the same work, in the name of the original's key unless the body names another. Its `rerun_of` names the original."
      })
    ),
    one.release,
    one.events,
    one.logs,
    one.explain,
    one.evidence,
    one.inputs,
    answerAt("/executions/:id/inputs/:input_id", { ...execution, input_id: InputId }),
    one.artifacts.annotateMerge(
      operation({
        summary: "Files and videos",
        description: "Everything the run captured, with links to the bytes."
      })
    ),
    HttpApiEndpoint.get("file", "/executions/:id/files/:file_id", {
      params: { ...execution, file_id: ArtifactId },
      query: {
        download: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
          described("`true` saves even what could be shown.")
        )
      },
      success: HttpApiSchema.StreamUint8Array()
    })
      .annotateMerge(
        operation({
          kind: "stream",
          summary: "One file or video",
          description:
            "The bytes of a file. Files whose first bytes are those of a picture or a video are shown, under that type; everything else is an attachment, whatever it claims to be.",
          params: ["execution_id", "id"],
          example: "const response = await account.executions.file({ execution_id, id: file.id })"
        })
      )
      .annotate(OpenApi.Transform, inRanges)
  )
  .annotate(OpenApi.Description, "The executions of an account.")
  .pipe(inAccount) {}
