/** Jobs that cancel many executions, of the holder of a key and of the members of an account alike. */
import { IdempotencyKey } from "@runhook/core/executions/create/CreateExecution"
import { JobId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { operation } from "../Call.ts"
import { Conflict, Forbidden, NotFound } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import { CancelBegun, CancelRepeated, WouldCancel } from "./CancelJobWire.ts"
import { described } from "../shared/Described.ts"

export const cancellingHeaders = {
  "idempotency-key": Schema.optionalKey(IdempotencyKey).pipe(
    described("Repeating a request under the same key begins no second job.")
  )
}

const begun = CancelBegun.pipe(HttpApiSchema.status(202))

/** `path` is what names the account, if anything does. */
export const cancelEndpoints = <
  const Path extends Schema.Struct.Fields,
  Body extends Schema.Top,
  Detail extends Schema.Top
>(
  path: Path,
  view: { readonly body: Body; readonly detail: Detail }
) => {
  const params = { ...path, id: JobId }
  return {
    cancelAll: HttpApiEndpoint.post("cancelAll", "/executions/cancel", {
      params: path,
      headers: cancellingHeaders,
      payload: view.body,
      success: [begun, Schema.Union([CancelRepeated, WouldCancel])],
      error: [Conflict, Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          kind: "once",
          summary: "Cancel all executions that match",
          says: "Begins to stop every execution that matches, all that are not finished if the filter is empty: those that were created by now. `jobs` follows how far that has come, waits for its end, and stops it. With `dryRun` it says how many match.",
          example:
            'const { job_id } = await runhook.executions.cancelAll({ status: ["queued"], task_id }, { reason: "Wrong list" })\nconst { cancelled } = await runhook.executions.jobs.waitFor(job_id)',
          python:
            'job = runhook.executions.cancel_all(status=["queued"], task_id=task.id, reason="Wrong list")\nprint(runhook.executions.jobs.wait_for(job.job_id).cancelled)'
        })
      )
      .annotate(TakesTurns, true),
    job: HttpApiEndpoint.get("job", "/executions/jobs/:id", {
      params,
      success: view.detail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: "executions.jobs.get",
        summary: "See how far a cancel of many has come",
        description: "The job, and how many executions it has cancelled so far.",
        example: "const { status, cancelled } = await runhook.executions.jobs.get(job_id)"
      })
    ),
    cancelJob: HttpApiEndpoint.post("cancelJob", "/executions/jobs/:id/cancel", {
      params,
      success: view.detail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: "executions.jobs.cancel",
        summary: "Stop a cancel of many",
        description:
          "Stops the job after its current batch. What it has cancelled stays cancelled. A finished job stays as it is.",
        isRepeatable: true,
        example: "await runhook.executions.jobs.cancel(job_id)"
      })
    )
  }
}
