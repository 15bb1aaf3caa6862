/** Webhook deliveries on the wire. */
import { AttemptPhase, DeliveryState } from "@runhook/core/domain/Delivery"
import { ApiKeyId, EventId, ExecutionId } from "@runhook/core/domain/Ids"
import { isStorableText } from "@runhook/core/domain/JsonText"
import { Timestamp } from "@runhook/core/domain/Timestamp"
import { WebhookEventType } from "@runhook/core/domain/WebhookEventType"
import * as Schema from "effect/Schema"
import { described } from "./Described.ts"
import { bodyOf } from "./Envelope.ts"

export const TestWebhookBody = Schema.Struct({
  callback_url: Schema.String.pipe(described("Where the test is sent."))
}).annotate({ identifier: "TestWebhook" })

export const TestWebhookQueued = bodyOf("TestWebhookQueued", "The test event is queued for delivery.", {
  event_id: EventId,
  delivery_id: EventId,
  status: Schema.Literal("queued"),
  callback_url: Schema.String
})

const fields = {
  id: EventId,
  event_id: EventId,
  type: WebhookEventType,
  state: DeliveryState,
  callback_url: Schema.String,
  execution_id: Schema.NullOr(ExecutionId),
  key_id: ApiKeyId,
  reference: Schema.NullOr(Schema.String),
  attempts: Schema.Int.pipe(described("Attempts of the present round.")),
  round: Schema.Int.pipe(described("Rises with each replay.")),
  next_attempt_at: Schema.NullOr(Timestamp),
  expires_at: Timestamp,
  last_status: Schema.NullOr(Schema.Int),
  last_error: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  settled_at: Schema.NullOr(Timestamp)
}

export const DeliveryItem = Schema.Struct(fields).annotate({
  identifier: "Delivery",
  description: "The delivery of one event to one URL."
})

export const AttemptItem = Schema.Struct({
  round: Schema.Int,
  number: Schema.Int,
  started_at: Timestamp,
  duration_ms: Schema.Int,
  phase: AttemptPhase,
  status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  remote_address: Schema.NullOr(Schema.String),
  response_headers: Schema.Record(Schema.String, Schema.String),
  response_body: Schema.NullOr(Schema.String),
  truncated: Schema.Boolean
}).annotate({ identifier: "DeliveryAttempt", description: "One request to the receiver." })

export const DeliveryDetail = bodyOf("DeliveryDetail", "A delivery with its payload and attempts.", {
  ...fields,
  payload: Schema.String.pipe(described("The exact body that is signed and sent.")),
  attempts_log: Schema.Array(AttemptItem)
})

export const DeliveryReplayed = bodyOf("DeliveryReplayed", "The delivery is due again.", {
  id: EventId,
  state: DeliveryState,
  round: Schema.Int
})

export const DeliveriesReplayed = bodyOf("DeliveriesReplayed", "Dead deliveries are due again.", {
  replayed: Schema.Int
})

export const AdminTestWebhookBody = Schema.Struct({
  callback_url: Schema.String,
  key_id: ApiKeyId.pipe(described("The key whose signing secret signs the test."))
}).annotate({ identifier: "AdminTestWebhook" })

/** What chooses deliveries, in queries and in the body of a replay. */
export const deliveryFilter = {
  type: Schema.optionalKey(WebhookEventType),
  execution_id: Schema.optionalKey(ExecutionId),
  q: Schema.optionalKey(Schema.String.check(Schema.isBetweenCodePoints(1, 200), isStorableText)).pipe(
    described("A part of the event type or URL, or an id.")
  ),
  from: Schema.optionalKey(Timestamp),
  to: Schema.optionalKey(Timestamp)
}

export const ReplayDeliveriesBody = Schema.Struct(deliveryFilter).annotate({
  identifier: "ReplayDeliveries",
  description: "Which of the dead deliveries; all unless given."
})
