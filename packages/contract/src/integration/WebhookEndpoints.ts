/** Test webhooks, and the deliveries of a key. */
import { EventId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { forKeys } from "../Audiences.ts"
import { Conflict, Forbidden, NotFound, Unprocessable } from "../Errors.ts"
import { callsBack } from "../openapi/Webhooks.ts"
import {
  DeliveryDetail,
  DeliveryPage,
  deliveryQuery,
  DeliveryReplayed,
  TestWebhookBody,
  TestWebhookQueued
} from "../wire/DeliveryWire.ts"

const delivery = { id: EventId }

export class WebhookEndpoints extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("test", "/webhooks/test", {
      payload: TestWebhookBody,
      success: TestWebhookQueued.pipe(HttpApiSchema.status(202)),
      error: [Forbidden, NotFound, Unprocessable]
    })
      .annotate(OpenApi.Transform, callsBack("test", "The test", "TestEvent"))
      .annotate(OpenApi.Summary, "Send a test webhook")
      .annotate(
        OpenApi.Description,
        "Queues a signed `webhook.test` event for the URL, to try out a receiver."
      ),
    HttpApiEndpoint.get("list", "/webhooks/deliveries", {
      query: deliveryQuery,
      success: DeliveryPage,
      error: Forbidden
    })
      .annotate(OpenApi.Summary, "List the deliveries of the key")
      .annotate(
        OpenApi.Description,
        "The webhook deliveries of the key's executions, newest first, in any state."
      ),
    HttpApiEndpoint.get("get", "/webhooks/deliveries/:id", {
      params: delivery,
      success: DeliveryDetail,
      error: [Forbidden, NotFound]
    })
      .annotate(OpenApi.Summary, "Get a delivery and its attempts")
      .annotate(
        OpenApi.Description,
        "A delivery with the exact body that is sent, and what each attempt sent and received."
      ),
    HttpApiEndpoint.post("replay", "/webhooks/deliveries/:id/replay", {
      params: delivery,
      success: DeliveryReplayed,
      error: [Forbidden, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Send a settled delivery again")
      .annotate(
        OpenApi.Description,
        "Makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh signature."
      )
  )
  .annotate(OpenApi.Description, "Signed callbacks.")
  .pipe(forKeys) {}
