/** Standing endpoints: what the holder of a key does with its own, and members of an account with all of them. */
import { endpointsMax } from "@runhook/core/endpoints/WebhookEndpoint"
import { EndpointId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import { type Access, DeclaredAccess } from "../Access.ts"
import { account, forKeys, inAccount } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Conflict, Forbidden, NotFound } from "../Errors.ts"
import { testsPassBreakers } from "../deliveries/DeliveryWire.ts"
import {
  Acknowledged,
  AcknowledgeBody,
  EndpointChangeBody,
  EndpointCreated,
  EndpointDetail,
  EndpointList,
  EndpointRotated,
  EndpointTested,
  MessageList,
  messageLeaseSeconds,
  messagesQuery,
  NewEndpointBody,
  RotateEndpointBody
} from "./EndpointWire.ts"
import { optional } from "../shared/Envelope.ts"

/**
 * `path` is what names the account, `whose` says whose endpoints they are, and `told` what a key needs to see events.
 * `readBy` null: they are read by whom the path is for.
 */
const standingEndpoints = <const Path extends Schema.Struct.Fields>(
  path: Path,
  {
    noun,
    readBy = null,
    told = "",
    whose
  }: {
    readonly noun: string
    readonly whose: string
    readonly told?: string
    readonly readBy?: Access | null
  }
) => {
  const params = { ...path, id: EndpointId }
  return [
    HttpApiEndpoint.get("list", "/webhooks/endpoints", {
      params: path,
      success: EndpointList,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          path: `${noun}.list`,
          summary: "List standing endpoints",
          description: `The endpoints of ${whose}, oldest first.`,
          example: `const { data } = await runhook.${noun}.list()`
        })
      )
      .annotate(DeclaredAccess, readBy),
    HttpApiEndpoint.post("create", "/webhooks/endpoints", {
      params: path,
      payload: NewEndpointBody,
      success: EndpointCreated.pipe(HttpApiSchema.status(201)),
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: `${noun}.create`,
        summary: "Add a standing endpoint",
        description: `Adds a receiver: every matching event from now on is delivered to it, beside the \`callback_url\` of its execution, under an event id of its own. Only this answer has the signing secret. An account has at most ${endpointsMax} endpoints.${told}`,
        example: `const { signing_secret } = await runhook.${noun}.create({ kind: "push", url })`
      })
    ),
    HttpApiEndpoint.get("get", "/webhooks/endpoints/:id", {
      params,
      success: EndpointDetail,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          path: `${noun}.get`,
          summary: "Get a standing endpoint",
          description: "An endpoint, without its signing secret.",
          example: `const { enabled } = await runhook.${noun}.get(id)`
        })
      )
      .annotate(DeclaredAccess, readBy),
    HttpApiEndpoint.patch("update", "/webhooks/endpoints/:id", {
      params,
      payload: EndpointChangeBody,
      success: EndpointDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: `${noun}.update`,
        summary: "Change or pause a standing endpoint",
        description: "Changes or pauses it, for events from now on.",
        example: `await runhook.${noun}.update(id, { enabled: false })`
      })
    ),
    HttpApiEndpoint.delete("remove", "/webhooks/endpoints/:id", {
      params,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: `${noun}.remove`,
        summary: "Remove a standing endpoint",
        description:
          "Removes it: no further events are delivered to it. What waits for it becomes `cancelled`.",
        example: `await runhook.${noun}.remove(id)`
      })
    ),
    HttpApiEndpoint.post("rotate", "/webhooks/endpoints/:id/rotate", {
      params,
      payload: optional(RotateEndpointBody),
      success: EndpointRotated,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: `${noun}.rotate`,
        summary: "Replace the signing secret of an endpoint",
        description:
          "Replaces its signing secret: the new one signs from now on, the old one beside it during the overlap. Only this answer has the new one.",
        example: `const { signing_secret } = await runhook.${noun}.rotate(id, { overlap_seconds: 3_600 })`
      })
    ),
    HttpApiEndpoint.post("test", "/webhooks/endpoints/:id/test", {
      params,
      success: EndpointTested.pipe(HttpApiSchema.status(202)),
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: `${noun}.test`,
        summary: "Send a test to a standing endpoint",
        description: `Queues a signed \`webhook.test\` event, also while the endpoint is not enabled. ${testsPassBreakers}`,
        example: `const { delivery_id } = await runhook.${noun}.test(id)`
      })
    ),
    HttpApiEndpoint.get("messages", "/webhooks/endpoints/:id/messages", {
      params,
      query: messagesQuery,
      success: MessageList,
      error: [Conflict, Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          path: `${noun}.fetch`,
          summary: "Fetch messages of a poll endpoint",
          description: `Fetches messages, for receivers that cannot be called. They are leased for ${messageLeaseSeconds} seconds: those that are not acknowledged by then are given out again. With \`wait\`, the answer comes as soon as there is a message. Each is signed as it would be if it were sent; those of one execution come in the order of its changes.${told}`,
          example: `const { data: waiting } = await runhook.${noun}.fetch(id, { wait: 30 })`
        })
      )
      .annotate(DeclaredAccess, readBy),
    HttpApiEndpoint.post("ack", "/webhooks/endpoints/:id/messages/ack", {
      params,
      payload: AcknowledgeBody,
      success: Acknowledged,
      error: [Conflict, Forbidden, NotFound]
    }).annotateMerge(
      operation({
        path: `${noun}.acknowledge`,
        summary: "Acknowledge messages",
        description: "Says that messages have arrived. Later events of their executions may follow.",
        isRepeatable: true,
        example: `const { data: fetched } = await runhook.${noun}.fetch(id)\nawait runhook.${noun}.acknowledge(id, fetched.map(({ message_id }) => message_id))`
      })
    )
  ] as const
}

export class StandingEndpoints extends HttpApiGroup.make("endpoints")
  .add(
    ...standingEndpoints(
      {},
      {
        noun: "webhooks.endpoints",
        whose: "the key: those that it has made",
        told: " It takes `executions:read` beside `endpoints:manage`, since events show results; a key that loses one of them is told nothing more."
      }
    )
  )
  .annotate(OpenApi.Description, "Receivers of the events of many executions.")
  .pipe(forKeys) {}

/** Viewers are not shown the URLs of others, and take no messages away. */
export class AdminStandingEndpoints extends HttpApiGroup.make("endpoints")
  .add(
    ...standingEndpoints(account, {
      noun: "endpoints",
      whose: "the account and all of its keys",
      readBy: "admin"
    })
  )
  .annotate(OpenApi.Description, "Receivers of the events of many executions in an account.")
  .pipe(inAccount) {}
