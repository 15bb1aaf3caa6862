/** What the holder of a key and the members of an account do with executions alike. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict, Forbidden, NotFound, TooManyRequests, Unauthorized, Unprocessable } from "../Errors.ts"
import { alsoInEvents, eventForm, resumingHeaders } from "../openapi/EventForm.ts"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { BodyRuleStatus, OtherForms } from "../RequestRules.ts"
import { TakesTurns } from "../Turns.ts"
import { described } from "../wire/Described.ts"
import { optional, pageQuery } from "../wire/Envelope.ts"
import {
  CancelBody,
  ExecutionCancelled,
  ExecutionCreated,
  executionFilter,
  ExecutionReleased,
  ExecutionReplayed,
  creatingHeaders,
  WouldCreate
} from "../wire/ExecutionWire.ts"
import { ExecutionEvidence } from "../wire/EvidenceWire.ts"
import {
  ExecutionExplained,
  ExecutionRescheduled,
  historyEventExample,
  HistoryEventList,
  historyQuery,
  RescheduleBody
} from "../wire/HistoryWire.ts"
import { logLineExample, LogLineList } from "../wire/LogWire.ts"
import { AnswerBody, InputAnswered, InputList } from "../wire/InputWire.ts"

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
      error: [Conflict, Forbidden, TooManyRequests, Unprocessable]
    }).annotate(BodyRuleStatus, 422),
    get: HttpApiEndpoint.get("get", "/executions/:id", {
      params,
      query: { wait: Schema.optionalKey(inQuery(queryNumbers.wait)) },
      success: view.detail,
      error: [Forbidden, NotFound, Unauthorized]
    }).annotate(OpenApi.Summary, "Get one execution"),
    cancel: HttpApiEndpoint.post("cancel", "/executions/:id/cancel", {
      params,
      payload: optional(CancelBody),
      success: ExecutionCancelled,
      error: [Forbidden, NotFound]
    }),
    release: HttpApiEndpoint.post("release", "/executions/:id/release", {
      params,
      success: ExecutionReleased,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Queue a held execution")
      .annotate(
        OpenApi.Description,
        "Queues an execution that was created with `hold`. Any other stays as it is."
      ),
    rerun: HttpApiEndpoint.post("rerun", "/executions/:id/rerun", {
      params,
      headers: creatingHeaders,
      payload: optional(view.rerun),
      success: [ExecutionCreated.pipe(HttpApiSchema.status(201)), ExecutionReplayed],
      error: [Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Run an execution again")
      .annotate(BodyRuleStatus, 422),
    reschedule: HttpApiEndpoint.patch("reschedule", "/executions/:id", {
      params,
      payload: RescheduleBody,
      success: ExecutionRescheduled,
      error: [Conflict, Forbidden, NotFound, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Change when an execution starts")
      .annotate(
        OpenApi.Description,
        "Changes the place of a pending or queued execution in the queue. 409 once a runner has it."
      ),
    events: HttpApiEndpoint.get("events", "/executions/:id/events", {
      params,
      query: historyQuery,
      headers: resumingHeaders,
      success: HistoryEventList,
      error: [Forbidden, NotFound, TooManyRequests, Unauthorized]
    })
      .annotate(OtherForms, [eventForm])
      .annotate(OpenApi.Transform, alsoInEvents(historyEventExample))
      .annotate(OpenApi.Summary, "What happened to an execution")
      .annotate(
        OpenApi.Description,
        "Every change of the execution after the number `after`, oldest first. With `wait`, the answer comes as soon as there is one, and at once for a finished execution. With `Accept: text/event-stream` they come as Server-Sent Events as they happen: `id` is the `sequence`, `event` the `type`, `data` the change as in JSON; a comment comes every 15 seconds when nothing else does. The stream ends after the last change of a finished execution, and the service may end it before: ask again, with the last `id` as `Last-Event-ID`. Then 204 says that everything was told."
      ),
    logs: HttpApiEndpoint.get("logs", "/executions/:id/logs", {
      params,
      query: historyQuery,
      headers: resumingHeaders,
      success: LogLineList,
      error: [Forbidden, NotFound, TooManyRequests, Unauthorized]
    })
      .annotate(OtherForms, [eventForm])
      .annotate(OpenApi.Transform, alsoInEvents(logLineExample))
      .annotate(OpenApi.Summary, "What the work said")
      .annotate(
        OpenApi.Description,
        "The lines that the runner logged, after the number `after`, oldest first. `wait`, and `Accept: text/event-stream` with `Last-Event-ID`, are as for the events; each event of the stream is named `line`. The newest 1,000 lines of all attempts are kept."
      ),
    explain: HttpApiEndpoint.get("explain", "/executions/:id/explain", {
      params,
      success: ExecutionExplained,
      error: [Forbidden, NotFound]
    })
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Why an execution has not started")
      .annotate(
        OpenApi.Description,
        "Everything that stands in its way: a time, a pause, no runner, no free slot, others before it."
      ),
    evidence: HttpApiEndpoint.get("evidence", "/executions/:id/evidence", {
      params,
      success: ExecutionEvidence,
      error: [Conflict, Forbidden, NotFound]
    })
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Evidence of what ran")
      .annotate(
        OpenApi.Description,
        "A signed manifest of an execution that has ended: its files with their SHA-256, its history, the version of its task, hashes of its params and result, and who asked for it. Anyone can verify it without the service, by the public keys at `/.well-known/runhook/jwks.json`. 409 before the end."
      ),
    artifacts: HttpApiEndpoint.get("artifacts", "/executions/:id/artifacts", {
      params,
      success: view.artifacts,
      error: [Forbidden, NotFound]
    }),
    inputs: HttpApiEndpoint.get("inputs", "/executions/:id/inputs", {
      params,
      success: InputList,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "What the work asked for")
      .annotate(OpenApi.Description, "Every question that the work has asked, answered or not, oldest first.")
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
    error: [Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable]
  })
    .annotate(OpenApi.Summary, "Answer the work")
    .annotate(
      OpenApi.Description,
      "Gives the value that the work asked for. It must satisfy the question's schema. Repeating an equal answer is harmless."
    )
