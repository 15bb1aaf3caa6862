/** The webhook deliveries of an account. */
import { EventId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, inAccount } from "../Audiences.ts"
import { Conflict, NotFound, Unprocessable } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import {
  adminDeliveryQuery,
  AdminTestWebhookBody,
  DeadLetterList,
  DeliveryDetail,
  DeliveryPage,
  DeliveryReplayed,
  DeliveryTried,
  SignedCommand,
  TestWebhookQueued
} from "../wire/DeliveryWire.ts"

const delivery = { ...account, id: EventId }

export class DeliveryEndpoints extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/deliveries", {
      params: account,
      query: adminDeliveryQuery,
      success: DeliveryPage,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List deliveries")
      .annotate(OpenApi.Description, "The webhook deliveries of all keys of the account, newest first."),
    HttpApiEndpoint.get("get", "/deliveries/:id", {
      params: delivery,
      success: DeliveryDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Get a delivery and its attempts")
      .annotate(
        OpenApi.Description,
        "A delivery with the exact body that is sent, and what each attempt sent and received. Viewers read `masked` where others read signatures that receivers still accept, credentials in headers, and the query of a URL."
      ),
    HttpApiEndpoint.get("deadLetters", "/dead-letters", {
      params: account,
      success: DeadLetterList,
      error: NotFound
    })
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "List dead deliveries by receiver and cause")
      .annotate(
        OpenApi.Description,
        "Dead deliveries in groups of one receiver and one cause: one repair frees a group, and a replay by `url_origin` and `cause` sends it again."
      ),
    HttpApiEndpoint.post("replay", "/deliveries/:id/replay", {
      params: delivery,
      success: DeliveryReplayed,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Send a settled delivery again")
      .annotate(
        OpenApi.Description,
        "Makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh signature."
      ),
    HttpApiEndpoint.post("try", "/deliveries/:id/try", {
      params: delivery,
      success: DeliveryTried,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Try a waiting delivery now")
      .annotate(
        OpenApi.Description,
        "Makes a pending delivery due at once, past its back-off, the breaker of its receiver and a pause that the receiver asked for. That counts as its next attempt. 409 if it does not wait (`settled`, `sending`), or an earlier event of its execution goes first (`earlier_event`)."
      ),
    HttpApiEndpoint.post("curl", "/deliveries/:id/curl", {
      params: delivery,
      success: SignedCommand,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Get a delivery as a curl command")
      .annotate(
        OpenApi.Description,
        "The request of a delivery as a command for a POSIX shell, signed now with the active secret of its key. Receivers accept it for 5 minutes. This sends nothing, and does not count as an attempt."
      ),
    HttpApiEndpoint.post("test", "/webhooks/test", {
      params: account,
      payload: AdminTestWebhookBody,
      success: TestWebhookQueued.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Unprocessable]
    })
      .annotate(OpenApi.Summary, "Send a test webhook")
      .annotate(
        OpenApi.Description,
        "Queues a `webhook.test` event for the URL, signed with the secret of the key that the body names."
      )
  )
  .annotate(OpenApi.Description, "The webhook deliveries of an account.")
  .pipe(inAccount) {}
