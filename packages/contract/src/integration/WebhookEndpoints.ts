/** Try out a webhook receiver. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ApiKeyAuthorization } from "../Authorization.ts"
import { Forbidden, NotFound, Unprocessable } from "../Errors.ts"
import { RateLimiting, RequestRules } from "../RequestRules.ts"
import { TestWebhookBody, TestWebhookQueued } from "../wire/DeliveryWire.ts"

export class WebhookEndpoints extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("test", "/webhooks/test", {
      payload: TestWebhookBody,
      success: TestWebhookQueued.pipe(HttpApiSchema.status(202)),
      error: [Forbidden, NotFound, Unprocessable]
    }).annotate(OpenApi.Summary, "Send a test webhook")
  )
  .middleware(RateLimiting)
  .middleware(ApiKeyAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/integrations")
  .annotate(OpenApi.Description, "Signed callbacks.") {}
