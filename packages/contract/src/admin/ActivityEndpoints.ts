/** What goes on in an account: its executions and its webhook deliveries. */
import { DeliveryState } from "@runhook/core/domain/Delivery"
import { AccountId, EventId, ExecutionId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { AdminAuthorization } from "../Authorization.ts"
import { Conflict, NotFound, Unprocessable } from "../Errors.ts"
import { RequestRules } from "../RequestRules.ts"
import {
  AdminTestWebhookBody,
  DeliveriesReplayed,
  DeliveryDetail,
  deliveryFilter,
  DeliveryItem,
  DeliveryReplayed,
  ReplayDeliveriesBody,
  TestWebhookQueued
} from "../wire/DeliveryWire.ts"
import { described } from "../wire/Described.ts"
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
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "The executions of an account.") {}

export class DeliveryEndpoints extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/deliveries", {
      params: account,
      query: {
        status: Schema.optionalKey(Schema.Array(DeliveryState)).pipe(described("May be repeated.")),
        ...deliveryFilter,
        ...pageQuery(EventId)
      },
      success: pageOf("DeliveryPage", DeliveryItem),
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
    HttpApiEndpoint.post("replayDead", "/deliveries/replays", {
      params: account,
      payload: optional(ReplayDeliveriesBody),
      success: DeliveriesReplayed,
      error: NotFound
    }).annotate(OpenApi.Summary, "Send dead deliveries again"),
    HttpApiEndpoint.post("test", "/webhooks/test", {
      params: account,
      payload: AdminTestWebhookBody,
      success: TestWebhookQueued.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Unprocessable]
    }).annotate(OpenApi.Summary, "Send a test webhook")
  )
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "The webhook deliveries of an account.") {}
