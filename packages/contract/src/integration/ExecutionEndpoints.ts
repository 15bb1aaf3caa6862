/** Queue executions, follow them, stop them, fetch what they captured. */
import { ArtifactId, ExecutionId, InputId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ApiKeyAuthorization } from "../Authorization.ts"
import { Conflict, Forbidden, NotFound, TooManyRequests, Unauthorized, Unprocessable } from "../Errors.ts"
import { conditional } from "../openapi/Conditional.ts"
import { callsBack } from "../openapi/Webhooks.ts"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { BodyRuleStatus, RateLimiting, RequestRules } from "../RequestRules.ts"
import { TakesTurns } from "../Turns.ts"
import { ExecutionArtifacts } from "../wire/ArtifactWire.ts"
import { described } from "../wire/Described.ts"
import { optional, pageOf, pageQuery } from "../wire/Envelope.ts"
import {
  CancelBody,
  CreateExecutionBody,
  ExecutionCancelled,
  ExecutionCreated,
  ExecutionDetail,
  executionFilter,
  ExecutionItem,
  ExecutionReleased,
  ExecutionReplayed,
  idempotencyHeader,
  RerunBody,
  WouldCreate
} from "../wire/ExecutionWire.ts"
import {
  ExecutionExplained,
  ExecutionRescheduled,
  HistoryEventList,
  historyQuery,
  RescheduleBody
} from "../wire/HistoryWire.ts"
import { AnswerBody, InputAnswered, InputList } from "../wire/InputWire.ts"

const id = { id: ExecutionId }

export class ExecutionEndpoints extends HttpApiGroup.make("executions")
  .add(
    HttpApiEndpoint.post("create", "/executions", {
      headers: idempotencyHeader,
      query: {
        validate_only: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
          described("`true` validates without queuing.")
        )
      },
      payload: CreateExecutionBody,
      success: [
        ExecutionCreated.pipe(HttpApiSchema.status(201)),
        Schema.Union([ExecutionReplayed, WouldCreate])
      ],
      error: [Conflict, Forbidden, TooManyRequests, Unprocessable]
    })
      .annotate(OpenApi.Transform, callsBack("execution", "The execution enters a status", "ExecutionEvent"))
      .annotate(OpenApi.Summary, "Queue an execution")
      .annotate(
        OpenApi.Description,
        "Queues a run of a task on an agent. With an `Idempotency-Key`, a repeat of the request answers 200 with the execution that the first one made. `validate_only=true` checks everything and stores nothing."
      )
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.get("list", "/executions", {
      query: {
        ...executionFilter,
        ...pageQuery
      },
      success: pageOf("ExecutionPage", ExecutionItem),
      error: Forbidden
    })
      .annotate(OpenApi.Summary, "List executions")
      .annotate(OpenApi.Description, "The executions of the account, newest first, filtered by the query."),
    HttpApiEndpoint.get("get", "/executions/:id", {
      params: id,
      query: {
        wait: Schema.optionalKey(inQuery(queryNumbers.wait))
      },
      success: ExecutionDetail,
      error: [Forbidden, NotFound, Unauthorized]
    })
      .annotate(OpenApi.Transform, conditional)
      .annotate(OpenApi.Summary, "Get one execution")
      .annotate(
        OpenApi.Description,
        "The execution and its files. With `wait`, the answer comes as soon as it is finished or awaits input, or at the end of the wait. With `wait` and `If-None-Match`, it comes as soon as the execution is finished or differs from what the caller has."
      ),
    HttpApiEndpoint.post("cancel", "/executions/:id/cancel", {
      params: id,
      payload: optional(CancelBody),
      success: ExecutionCancelled,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Cancel an execution")
      .annotate(
        OpenApi.Description,
        "Stops an execution: it becomes `aborted`. A finished one keeps its status, and the answer says so."
      ),
    HttpApiEndpoint.post("release", "/executions/:id/release", {
      params: id,
      success: ExecutionReleased,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Queue a held execution")
      .annotate(
        OpenApi.Description,
        "Queues an execution that was created with `hold`. Any other stays as it is."
      ),
    HttpApiEndpoint.post("rerun", "/executions/:id/rerun", {
      params: id,
      headers: idempotencyHeader,
      payload: optional(RerunBody),
      success: [ExecutionCreated.pipe(HttpApiSchema.status(201)), ExecutionReplayed],
      error: [Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Run an execution again")
      .annotate(
        OpenApi.Description,
        "Queues a new execution of the same work: with the same agent, reference, metadata and callbacks, and its params unless others are given. Its `rerun_of` names the original, which stays as it is."
      )
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.patch("reschedule", "/executions/:id", {
      params: id,
      payload: RescheduleBody,
      success: ExecutionRescheduled,
      error: [Conflict, Forbidden, NotFound, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Change when an execution starts")
      .annotate(
        OpenApi.Description,
        "Changes the place of a pending or queued execution in the queue. 409 once a runner has it."
      ),
    HttpApiEndpoint.get("events", "/executions/:id/events", {
      params: id,
      query: historyQuery,
      success: HistoryEventList,
      error: [Forbidden, NotFound, Unauthorized]
    })
      .annotate(OpenApi.Summary, "What happened to an execution")
      .annotate(
        OpenApi.Description,
        "Every change of the execution after the number `after`, oldest first. With `wait`, the answer comes as soon as there is one, and at once for a finished execution."
      ),
    HttpApiEndpoint.get("explain", "/executions/:id/explain", {
      params: id,
      success: ExecutionExplained,
      error: [Forbidden, NotFound]
    })
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Why an execution has not started")
      .annotate(
        OpenApi.Description,
        "Everything that stands in its way: a time, a pause, no runner, no free slot, others before it."
      ),
    HttpApiEndpoint.get("artifacts", "/executions/:id/artifacts", {
      params: id,
      success: ExecutionArtifacts,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Files and signed video URLs")
      .annotate(
        OpenApi.Description,
        "Everything the run captured. Videos have signed URLs, which soon expire; files have stable links."
      ),
    HttpApiEndpoint.get("file", "/executions/:id/files/:fileId", {
      params: { id: ExecutionId, fileId: ArtifactId },
      success: HttpApiSchema.WithHeaders(HttpApiSchema.Empty(302), { location: Schema.String }),
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Download one file")
      .annotate(
        OpenApi.Description,
        "Redirects to a signed URL of the file, which soon expires. The link itself is stable."
      ),
    HttpApiEndpoint.get("inputs", "/executions/:id/inputs", {
      params: id,
      success: InputList,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "What the work asked for")
      .annotate(
        OpenApi.Description,
        "Every question that the work has asked, answered or not, oldest first."
      ),
    HttpApiEndpoint.post("answer", "/executions/:id/inputs/:inputId", {
      params: { id: ExecutionId, inputId: InputId },
      payload: AnswerBody,
      success: InputAnswered,
      error: [Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Answer the work")
      .annotate(
        OpenApi.Description,
        "Gives the value that the work asked for. It must satisfy the question's schema. Repeating an equal answer is harmless."
      )
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(ApiKeyAuthorization)
  .prefix("/api/v1/integrations")
  .annotate(OpenApi.Description, "Queue executions, follow them, fetch what they captured.") {}
