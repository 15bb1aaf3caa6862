/** Queue executions, follow them, stop them, fetch what they captured. */
import { IdempotencyKey } from "@runhook/core/domain/IdempotencyKey"
import { ArtifactId, ExecutionId, InputId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ApiKeyAuthorization } from "../Authorization.ts"
import { Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable } from "../Errors.ts"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { BodyRuleStatus, RateLimiting, RequestRules, RequestText } from "../RequestRules.ts"
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
  WouldCreate
} from "../wire/ExecutionWire.ts"
import { AnswerBody, InputAnswered, InputList } from "../wire/InputWire.ts"

const id = { id: ExecutionId }

export class ExecutionEndpoints extends HttpApiGroup.make("executions")
  .add(
    HttpApiEndpoint.post("create", "/executions", {
      headers: {
        "idempotency-key": Schema.optionalKey(IdempotencyKey).pipe(
          described("Repeating a request under the same key makes no second execution.")
        )
      },
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
      .annotate(OpenApi.Summary, "Queue an execution")
      .annotate(BodyRuleStatus, 422),
    HttpApiEndpoint.get("list", "/executions", {
      query: {
        ...executionFilter,
        ...pageQuery(ExecutionId)
      },
      success: pageOf("ExecutionPage", ExecutionItem),
      error: Forbidden
    }).annotate(OpenApi.Summary, "List executions"),
    HttpApiEndpoint.get("get", "/executions/:id", {
      params: id,
      query: {
        wait: Schema.optionalKey(inQuery(queryNumbers.wait))
      },
      success: ExecutionDetail,
      error: [Forbidden, NotFound]
    }).annotate(OpenApi.Summary, "Get one execution"),
    HttpApiEndpoint.post("cancel", "/executions/:id/cancel", {
      params: id,
      payload: optional(CancelBody),
      success: ExecutionCancelled,
      error: [Forbidden, NotFound]
    }).annotate(OpenApi.Summary, "Cancel an execution"),
    HttpApiEndpoint.post("release", "/executions/:id/release", {
      params: id,
      success: ExecutionReleased,
      error: [Forbidden, NotFound]
    }).annotate(OpenApi.Summary, "Queue a held execution"),
    HttpApiEndpoint.get("artifacts", "/executions/:id/artifacts", {
      params: id,
      success: ExecutionArtifacts,
      error: [Forbidden, NotFound]
    }).annotate(OpenApi.Summary, "Files and signed video URLs"),
    HttpApiEndpoint.get("file", "/executions/:id/files/:fileId", {
      params: { id: ExecutionId, fileId: ArtifactId },
      success: HttpApiSchema.WithHeaders(HttpApiSchema.Empty(302), { location: Schema.String }),
      error: [Forbidden, NotFound]
    }).annotate(OpenApi.Summary, "Download one file"),
    HttpApiEndpoint.get("inputs", "/executions/:id/inputs", {
      params: id,
      success: InputList,
      error: [Forbidden, NotFound]
    }).annotate(OpenApi.Summary, "What the work asked for"),
    HttpApiEndpoint.post("answer", "/executions/:id/inputs/:inputId", {
      params: { id: ExecutionId, inputId: InputId },
      payload: AnswerBody,
      success: InputAnswered,
      error: [Conflict, Forbidden, NotFound, Unprocessable]
    }).annotate(OpenApi.Summary, "Answer the work")
  )
  .middleware(RequestText)
  .middleware(RateLimiting)
  .middleware(ApiKeyAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/integrations")
  .annotate(OpenApi.Description, "Queue executions, follow them, fetch what they captured.") {}
