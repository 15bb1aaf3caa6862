/** Webhook deliveries: what the holder of a key and the members of an account do with them. */
import { EventId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import { account, forKeys, inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Conflict, Forbidden, NotFound } from "../Errors.ts"
import { callsBack } from "../openapi/Webhooks.ts"
import { TakesTurns } from "../Turns.ts"
import {
  adminDeliveryQuery,
  AdminTestWebhookBody,
  DeadLetterList,
  DeliveryDetail,
  DeliveryPage,
  deliveryQuery,
  DeliveryReplayed,
  DeliveryTried,
  SignedCommand,
  TestWebhookBody,
  TestWebhookQueued,
  testsPassBreakers
} from "./DeliveryWire.ts"

const delivery = { ...account, id: EventId }

/** `path` is what names the account, `at` the path of the list. */
const deliveryEndpoints = <
  const Path extends Schema.Struct.Fields,
  const At extends `/${string}`,
  const Query extends Schema.Struct.Fields,
  Test extends Schema.Top
>(
  path: Path,
  {
    at,
    example,
    query,
    test
  }: { readonly at: At; readonly query: Query; readonly test: Test; readonly example: string }
) => {
  const params = { ...path, id: EventId }
  return {
    list: HttpApiEndpoint.get("list", at, {
      params: path,
      query,
      success: DeliveryPage,
      error: Forbidden
    }).annotateMerge(
      operation({
        path: "deliveries.list",
        example:
          'for await (const { id, type } of runhook.deliveries.list({ status: "dead" })) console.log(id, type)'
      })
    ),
    get: HttpApiEndpoint.get("get", `${at}/:id`, {
      params,
      success: DeliveryDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: "deliveries.get",
        summary: "Get a delivery and its attempts",
        example: "const { attempts_log } = await runhook.deliveries.get(id)"
      })
    ),
    replay: HttpApiEndpoint.post("replay", `${at}/:id/replay`, {
      params,
      success: DeliveryReplayed,
      error: [Forbidden, NotFound, Conflict]
    }).annotateMerge(
      operation({
        path: "deliveries.replay",
        summary: "Send a settled delivery again",
        description:
          "Makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh signature.",
        example: "await runhook.deliveries.replay(id)"
      })
    ),
    test: HttpApiEndpoint.post("test", "/webhooks/test", {
      params: path,
      payload: test,
      success: TestWebhookQueued.pipe(HttpApiSchema.status(202)),
      error: [Forbidden, NotFound]
    }).annotateMerge(operation({ path: "webhooks.test", summary: "Send a test webhook", example }))
  }
}

const ofKey = deliveryEndpoints(
  {},
  {
    at: "/webhooks/deliveries",
    query: deliveryQuery,
    test: TestWebhookBody,
    example: "await runhook.webhooks.test({ callback_url })"
  }
)

export class WebhookEndpoints extends HttpApiGroup.make("webhooks")
  .add(
    ofKey.test.annotate(OpenApi.Transform, callsBack("test", "The test", "TestEvent")).annotateMerge(
      operation({
        description: `Queues a signed \`webhook.test\` event for the URL, to try out a receiver. ${testsPassBreakers}`
      })
    ),
    ofKey.list.annotateMerge(
      operation({
        summary: "List the deliveries of the key",
        description: "The webhook deliveries of the key's executions, newest first, in any state."
      })
    ),
    ofKey.get.annotateMerge(
      operation({
        description: "A delivery with the exact body that is sent, and what each attempt sent and received."
      })
    ),
    ofKey.replay
  )
  .annotate(OpenApi.Description, "Signed callbacks.")
  .pipe(forKeys) {}

const ofAccount = deliveryEndpoints(account, {
  at: "/deliveries",
  query: adminDeliveryQuery,
  test: AdminTestWebhookBody,
  example: "await account.webhooks.test({ key_id, callback_url })"
})

export class DeliveryEndpoints extends HttpApiGroup.make("deliveries")
  .add(
    ofAccount.list.annotateMerge(
      operation({
        summary: "List deliveries",
        description: "The webhook deliveries of all keys of the account, newest first."
      })
    ),
    ofAccount.get.annotateMerge(
      operation({
        description:
          "A delivery with the exact body that is sent, and what each attempt sent and received. Viewers read `masked` where others read signatures that receivers still accept, credentials in headers, and the query of a URL."
      })
    ),
    HttpApiEndpoint.get("deadLetters", "/dead-letters", { params: account, success: DeadLetterList })
      .annotateMerge(
        operation({
          summary: "List dead deliveries by receiver and cause",
          description:
            "Dead deliveries in groups of one receiver and one cause: one repair frees a group, and a replay by `url_origin` and `cause` sends it again.",
          example: "const { data } = await account.deliveries.deadLetters()"
        })
      )
      .annotate(TakesTurns, true),
    ofAccount.replay,
    HttpApiEndpoint.post("try", "/deliveries/:id/try", {
      params: delivery,
      success: DeliveryTried,
      error: [NotFound, Conflict]
    }).annotateMerge(
      operation({
        path: "deliveries.tryNow",
        summary: "Try a waiting delivery now",
        description:
          "Makes a pending delivery due at once, past its back-off, the breaker of its receiver and a pause that the receiver asked for. That counts as its next attempt.",
        overHttp:
          "409 if it does not wait (`settled`, `sending`), or an earlier event of its execution goes first (`earlier_event`).",
        isRepeatable: true,
        example: "const { attempts } = await account.deliveries.tryNow(id)"
      })
    ),
    HttpApiEndpoint.post("curl", "/deliveries/:id/curl", {
      params: delivery,
      success: SignedCommand,
      error: [NotFound, Conflict]
    }).annotateMerge(
      operation({
        summary: "Get a delivery as a curl command",
        description:
          "The request of a delivery as a command for a POSIX shell, signed now with the active secret of its key. Receivers accept it for 5 minutes. This sends nothing, and does not count as an attempt.",
        isRepeatable: true,
        example: "const { command } = await account.deliveries.curl(id)"
      })
    ),
    ofAccount.test.annotateMerge(
      operation({
        description: `Queues a \`webhook.test\` event for the URL, signed with the secret of the key that the body names. ${testsPassBreakers}`
      })
    )
  )
  .annotate(OpenApi.Description, "The webhook deliveries of an account.")
  .pipe(inAccount) {}
