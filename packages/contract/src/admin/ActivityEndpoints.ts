/** What goes on in an account: its executions and its webhook deliveries. */
import { AccountId, EventId, ExecutionId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminAuthorization } from "../Authorization.ts"
import { Conflict, NotFound, Unprocessable } from "../Errors.ts"
import { RequestRules, RequestText } from "../RequestRules.ts"
import {
  AdminTestWebhookBody,
  DeliveryDetail,
  DeliveryPage,
  deliveryQuery,
  DeliveryReplayed,
  TestWebhookQueued
} from "../wire/DeliveryWire.ts"
import { optional, pageOf, pageQuery } from "../wire/Envelope.ts"
import {
  CancelBody,
  ExecutionCancelled,
  ExecutionDetail,
  executionFilter,
  ExecutionItem
} from "../wire/ExecutionWire.ts"

const account = { account_id: AccountId }
const execution = { ...account, id: ExecutionId }
const delivery = { ...account, id: EventId }

export class AdminExecutionEndpoints extends HttpApiGroup.make("executions")
  .add(
    HttpApiEndpoint.get("list", "/executions", {
      params: account,
      query: {
        ...executionFilter,
        ...pageQuery(ExecutionId)
      },
      success: pageOf("ExecutionPage", ExecutionItem),
      error: NotFound
    }).annotate(OpenApi.Summary, "List executions"),
    HttpApiEndpoint.get("get", "/executions/:id", {
      params: execution,
      success: ExecutionDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Get one execution"),
    HttpApiEndpoint.post("cancel", "/executions/:id/cancel", {
      params: execution,
      payload: optional(CancelBody),
      success: ExecutionCancelled,
      error: NotFound
    }).annotate(OpenApi.Summary, "End an execution as cancelled")
  )
  .middleware(RequestText)
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "The executions of an account.") {}

export class DeliveryEndpoints extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/deliveries", {
      params: account,
      query: deliveryQuery,
      success: DeliveryPage,
      error: NotFound
    }).annotate(OpenApi.Summary, "List deliveries"),
    HttpApiEndpoint.get("get", "/deliveries/:id", {
      params: delivery,
      success: DeliveryDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Get a delivery and its attempts"),
    HttpApiEndpoint.post("replay", "/deliveries/:id/replay", {
      params: delivery,
      success: DeliveryReplayed,
      error: [NotFound, Conflict]
    }).annotate(OpenApi.Summary, "Send a settled delivery again"),
    HttpApiEndpoint.post("test", "/webhooks/test", {
      params: account,
      payload: AdminTestWebhookBody,
      success: TestWebhookQueued.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Unprocessable]
    }).annotate(OpenApi.Summary, "Send a test webhook")
  )
  .middleware(RequestText)
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "The webhook deliveries of an account.") {}
