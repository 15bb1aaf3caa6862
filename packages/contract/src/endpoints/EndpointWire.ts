/** Standing endpoints and the messages of those that are polled, on the wire. */
import { deliveryAttemptsMax } from "@runhook/core/deliveries/steps/DeliveryBackoff"
import { ExecutionEventType } from "@runhook/core/deliveries/WebhookEventType"
import { messageLease, messagesMax } from "@runhook/core/endpoints/Messages"
import { EndpointKind, endpointsMax } from "@runhook/core/endpoints/WebhookEndpoint"
import { AgentId, ApiKeyId, EndpointId, EventId, TaskId } from "@runhook/core/shared/Ids"
import { isStorableText } from "@runhook/core/shared/json/JsonText"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { CallbackUrl } from "../shared/CallbackUrlWire.ts"
import { described } from "../shared/Described.ts"
import { waiting } from "../deliveries/DeliveryWire.ts"
import { bodyOf } from "../shared/Envelope.ts"
import { overlap, overlapSecondsDefault } from "../keys/KeyWire.ts"

/** Ids in one list of an endpoint. */
export const idsMax = 1_000

const chosen = {
  description: Schema.String.check(Schema.isMaxCodePoints(200), isStorableText),
  event_types: Schema.NullOr(
    Schema.Array(ExecutionEventType).check(Schema.isMinLength(1), Schema.isUnique())
  ).pipe(described("Which events it gets; null: all.")),
  task_ids: Schema.NullOr(Schema.Array(TaskId).check(Schema.isMaxLength(idsMax))).pipe(
    described("Of which tasks; null: all that its key may run.")
  ),
  agent_ids: Schema.NullOr(Schema.Array(AgentId).check(Schema.isMaxLength(idsMax))).pipe(
    described("On which agents; null: all that its key may use.")
  ),
  enabled: Schema.Boolean.pipe(
    described(
      "Events that happen while it is false are never told to it. What waits already is still delivered."
    )
  )
}

/** A poll endpoint may go away by itself after one minute to 30 days. */
const RemoveAfter = Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 2_592_000 }))

export const NewEndpointBody = Schema.Struct({
  kind: EndpointKind.pipe(
    described("push: events are sent to `url`. poll: they are fetched as messages and acknowledged.")
  ),
  url: Schema.optionalKey(CallbackUrl).pipe(
    described("Where events are sent, for push alone; under the rules of callback_url.")
  ),
  ...Struct.map(chosen, Schema.optionalKey),
  remove_after_seconds: Schema.optionalKey(Schema.NullOr(RemoveAfter)).pipe(
    described(
      "For poll alone: it is removed when nobody has fetched from it for so long, give or take an hour; null: never."
    )
  )
}).annotate({
  identifier: "CreateWebhookEndpoint",
  description: "It is enabled and gets all events unless given."
})

export const EndpointChangeBody = Schema.Struct({
  url: Schema.optionalKey(Schema.NullOr(CallbackUrl)).pipe(
    described("For push alone. Events that wait already go where they were to go. null: not given.")
  ),
  ...Struct.map(chosen, Schema.optionalKey)
}).annotate({ identifier: "UpdateWebhookEndpoint" })

const fields = {
  id: EndpointId,
  kind: EndpointKind,
  url: Schema.NullOr(Schema.String).pipe(described("Null for poll.")),
  ...chosen,
  key_id: Schema.NullOr(ApiKeyId).pipe(
    described("The key that made it, whose tasks and agents bound what it is told; null: all of the account.")
  ),
  remove_after_seconds: Schema.NullOr(Schema.Int),
  previous_expires_at: Schema.NullOr(Timestamp).pipe(
    described("Until when the signing secret before the present one signs as well.")
  ),
  created_at: Timestamp,
  updated_at: Timestamp
}

export const EndpointItem = Schema.Struct(fields).annotate({
  identifier: "WebhookEndpoint",
  description: "A receiver of the events of many executions."
})

export const EndpointDetail = bodyOf(
  "WebhookEndpointDetail",
  "A receiver of the events of many executions.",
  fields
)

export const EndpointCreated = bodyOf(
  "WebhookEndpointCreated",
  "The endpoint, with its signing secret, shown this once.",
  { ...fields, signing_secret: Schema.String.pipe(described("Verifies what it is sent.")) }
)

export const EndpointList = bodyOf(
  "WebhookEndpointList",
  `All of them, oldest first: at most ${endpointsMax}.`,
  {
    data: Schema.Array(EndpointItem)
  }
)

export const RotateEndpointBody = Schema.Struct({
  overlap_seconds: overlap.pipe(
    described(
      `How long the old secret signs the Standard Webhooks header as well; ${overlapSecondsDefault} unless given.`
    )
  )
}).annotate({ identifier: "RotateEndpointSecret" })

export const EndpointRotated = bodyOf("EndpointSecretRotated", "The new signing secret, shown this once.", {
  signing_secret: Schema.String,
  previous_expires_at: Timestamp
})

export const EndpointTested = bodyOf("EndpointTested", "The test event is queued for the endpoint.", {
  event_id: EventId,
  delivery_id: EventId,
  status: Schema.Literal("queued"),
  endpoint_id: EndpointId,
  ...waiting
})

/** How long fetched messages are kept from others. */
export const messageLeaseSeconds = Duration.toSeconds(messageLease)

export const MessageItem = Schema.Struct({
  message_id: EventId.pipe(described("The id of its event and of its delivery.")),
  attempt: Schema.Int.pipe(
    described(
      `How often it was given out; dead after ${deliveryAttemptsMax} times without an acknowledgement.`
    )
  ),
  headers: Schema.Record(Schema.String, Schema.String).pipe(
    described("As they would be sent, with timestamp and signatures of this moment.")
  ),
  body: Schema.String.pipe(described("The exact text that is signed."))
}).annotate({
  identifier: "WebhookMessage",
  description: "An event that was fetched in place of being sent."
})

export const MessageList = bodyOf(
  "WebhookMessageList",
  `Messages in their order, yours for ${messageLeaseSeconds} seconds: those that are not acknowledged by then are given out again.`,
  { data: Schema.Array(MessageItem) }
)

export const messagesQuery = {
  limit: Schema.optionalKey(inQuery(queryNumbers.limit)),
  wait: Schema.optionalKey(inQuery(queryNumbers.wait))
}

export const AcknowledgeBody = Schema.Struct({
  message_ids: Schema.Array(EventId).check(Schema.isMinLength(1), Schema.isMaxLength(messagesMax))
}).annotate({ identifier: "AcknowledgeMessages" })

export const Acknowledged = bodyOf("MessagesAcknowledged", "They are delivered, and not given out again.", {
  acknowledged: Schema.Int.pipe(
    described("How many of them were waiting for it. A repeat acknowledges nothing more.")
  )
})
