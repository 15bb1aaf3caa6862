/** The executions of an account, as operators and members see and run them. */
import { AccountId, ArtifactId, ExecutionId, InputId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { DeclaredAccess } from "../Access.ts"
import { AdminAuthorization } from "../Authorization.ts"
import { Conflict, NotFound, TooManyRequests, Unprocessable } from "../Errors.ts"
import { inRanges } from "../openapi/Ranges.ts"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { BodyRuleStatus, RateLimiting, RequestRules } from "../RequestRules.ts"
import { TakesTurns } from "../Turns.ts"
import { described } from "../wire/Described.ts"
import { optional, pageOf, pageQuery } from "../wire/Envelope.ts"
import {
  CreateExecutionAsBody,
  ExecutionViewArtifacts,
  ExecutionViewDetail,
  ExecutionViewItem,
  RerunAsBody
} from "../wire/ExecutionViewWire.ts"
import {
  CancelBody,
  ExecutionCancelled,
  ExecutionCreated,
  executionFilter,
  ExecutionReleased,
  ExecutionReplayed,
  idempotencyHeader,
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

const account = { account_id: AccountId }
const execution = { ...account, id: ExecutionId }

export class AdminExecutionEndpoints extends HttpApiGroup.make("executions")
  .add(
    HttpApiEndpoint.post("create", "/executions", {
      params: account,
      headers: idempotencyHeader,
      query: {
        validate_only: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
          described("`true` validates without queuing.")
        )
      },
      payload: CreateExecutionAsBody,
      success: [
        ExecutionCreated.pipe(HttpApiSchema.status(201)),
        Schema.Union([ExecutionReplayed, WouldCreate])
      ],
      error: [Conflict, NotFound, TooManyRequests, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Queue an execution in the name of a key")
      .annotate(
        OpenApi.Description,
        "Queues a run of a task as if the key had asked for it: within its tasks, agents and limits, with callbacks signed by its secret. `Idempotency-Key` and `validate_only` are as in the integration API."
      )
      // Checking a request changes nothing; the handler requires more of a caller who queues one.
      .annotate(DeclaredAccess, "viewer")
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.get("list", "/executions", {
      params: account,
      query: {
        ...executionFilter,
        ...pageQuery
      },
      success: pageOf("AdminExecutionPage", ExecutionViewItem),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List executions")
      .annotate(
        OpenApi.Description,
        "The executions of the account, newest first, filtered by the query, with the names behind ids and the state of their callbacks."
      ),
    HttpApiEndpoint.get("get", "/executions/:id", {
      params: execution,
      query: { wait: Schema.optionalKey(inQuery(queryNumbers.wait)) },
      success: ExecutionViewDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Get one execution")
      .annotate(
        OpenApi.Description,
        "The execution, its files, and its progress by its runner's word. With `wait`, the answer comes as soon as it is finished or awaits input, or at the end of the wait."
      ),
    HttpApiEndpoint.patch("reschedule", "/executions/:id", {
      params: execution,
      payload: RescheduleBody,
      success: ExecutionRescheduled,
      error: [Conflict, NotFound, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Change when an execution starts")
      .annotate(
        OpenApi.Description,
        "Changes the place of a pending or queued execution in the queue. 409 once a runner has it."
      ),
    HttpApiEndpoint.post("cancel", "/executions/:id/cancel", {
      params: execution,
      payload: optional(CancelBody),
      success: ExecutionCancelled,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "End an execution as cancelled")
      .annotate(
        OpenApi.Description,
        "Stops an execution in the name of the operator: it becomes `cancelled`. A finished one keeps its status."
      ),
    HttpApiEndpoint.post("rerun", "/executions/:id/rerun", {
      params: execution,
      headers: idempotencyHeader,
      payload: optional(RerunAsBody),
      success: [ExecutionCreated.pipe(HttpApiSchema.status(201)), ExecutionReplayed],
      error: [Conflict, NotFound, TooManyRequests, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Run an execution again")
      .annotate(
        OpenApi.Description,
        "Queues a new execution of the same work, in the name of the original's key unless the body names another. Its `rerun_of` names the original."
      )
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.post("release", "/executions/:id/release", {
      params: execution,
      success: ExecutionReleased,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Queue a held execution")
      .annotate(
        OpenApi.Description,
        "Queues an execution that was created with `hold`. Any other stays as it is."
      ),
    HttpApiEndpoint.get("events", "/executions/:id/events", {
      params: execution,
      query: historyQuery,
      success: HistoryEventList,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "What happened to an execution")
      .annotate(
        OpenApi.Description,
        "Every change of the execution after the number `after`, oldest first. With `wait`, the answer comes as soon as there is one, and at once for a finished execution."
      ),
    HttpApiEndpoint.get("explain", "/executions/:id/explain", {
      params: execution,
      success: ExecutionExplained,
      error: NotFound
    })
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Why an execution has not started")
      .annotate(
        OpenApi.Description,
        "Everything that stands in its way: a time, a pause, no runner, no free slot, others before it."
      ),
    HttpApiEndpoint.get("inputs", "/executions/:id/inputs", {
      params: execution,
      success: InputList,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "What the work asked for")
      .annotate(
        OpenApi.Description,
        "Every question that the work has asked, answered or not, oldest first."
      ),
    HttpApiEndpoint.post("answer", "/executions/:id/inputs/:input_id", {
      params: { ...execution, input_id: InputId },
      payload: AnswerBody,
      success: InputAnswered,
      error: [Conflict, NotFound, TooManyRequests, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Answer the work")
      .annotate(
        OpenApi.Description,
        "Gives the value that the work asked for. It must satisfy the question's schema. Repeating an equal answer is harmless."
      ),
    HttpApiEndpoint.get("artifacts", "/executions/:id/artifacts", {
      params: execution,
      success: ExecutionViewArtifacts,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Files and videos")
      .annotate(OpenApi.Description, "Everything the run captured, with links to the bytes."),
    HttpApiEndpoint.get("file", "/executions/:id/files/:file_id", {
      params: { ...execution, file_id: ArtifactId },
      query: {
        download: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
          described("`true` saves even what could be shown.")
        )
      },
      success: HttpApiSchema.StreamUint8Array(),
      error: NotFound
    })
      .annotate(OpenApi.Transform, inRanges)
      .annotate(OpenApi.Summary, "One file or video")
      .annotate(
        OpenApi.Description,
        "The bytes of a file. Files whose first bytes are those of a picture or a video are shown, under that type; everything else is an attachment, whatever it claims to be."
      )
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(AdminAuthorization)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "The executions of an account.") {}
