/** Webhook deliveries on the wire. */
import {
  AnswerClass,
  AttemptCause,
  AttemptPhase,
  DeliveryCause
} from "@runhook/core/deliveries/steps/AttemptCause"
import { AttemptTimings } from "@runhook/core/deliveries/steps/AttemptTimings"
import { deadLetterGroupsMax, deadLettersCounted } from "@runhook/core/deliveries/DeadLetters"
import { attemptsShownMax, DeliveryState } from "@runhook/core/deliveries/Delivery"
import { WaitingFor } from "@runhook/core/deliveries/claim/DeliveryWait"
import { UrlOrigin } from "@runhook/core/deliveries/claim/UrlOrigin"
import { WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import { Reference } from "@runhook/core/executions/Execution"
import { ApiKeyId, EndpointId, EventId, ExecutionId } from "@runhook/core/shared/Ids"
import { isStorableText } from "@runhook/core/shared/json/JsonText"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { CallbackUrl } from "../shared/CallbackUrlWire.ts"
import { described } from "../shared/Described.ts"
import { bodyOf, pageOf, pageQuery } from "../shared/Envelope.ts"

/** What a pending delivery waits for, of a delivery and of a test. */
export const waiting = {
  waiting_for: Schema.NullOr(WaitingFor).pipe(
    described(
      "What it waits for: the back-off after a failed attempt, a receiver that keeps failing (breaker_open) or that asked for a pause, an earlier event of its execution, or the attempt in flight. Null if it is due now, or settled."
    )
  ),
  next_attempt_at: Schema.NullOr(Timestamp).pipe(
    described(
      "When it is sent next; while it is being sent, when that attempt counts as lost. Null once settled."
    )
  )
}

/** What descriptions of tests end with. */
export const testsPassBreakers =
  "It is sent even while the breaker of its receiver is open, one test at a time; `waiting_for` says what else it waits for."

export const TestWebhookBody = Schema.Struct({
  callback_url: CallbackUrl.pipe(described("Where the test is sent."))
}).annotate({ identifier: "TestWebhook" })

export const TestWebhookQueued = bodyOf("TestWebhookQueued", "The test event is queued for delivery.", {
  event_id: EventId,
  delivery_id: EventId,
  status: Schema.Literal("queued"),
  callback_url: Schema.String,
  ...waiting
})

const fields = {
  id: EventId,
  event_id: EventId.pipe(described("The same on every attempt and replay.")),
  type: WebhookEventType,
  state: DeliveryState,
  callback_url: Schema.String,
  execution_id: Schema.NullOr(ExecutionId).pipe(described("Null for a test.")),
  endpoint_id: Schema.NullOr(EndpointId).pipe(
    described("The standing endpoint that it is for; null for the callback of an execution.")
  ),
  key_id: Schema.NullOr(ApiKeyId).pipe(described("Null for an endpoint of the whole account.")),
  reference: Schema.NullOr(Schema.String),
  attempts: Schema.Int.pipe(described("Attempts of the present round.")),
  round: Schema.Int.pipe(described("Rises with each replay.")),
  ...waiting,
  expires_at: Timestamp,
  last_status: Schema.NullOr(Schema.Int),
  last_error: Schema.NullOr(Schema.String),
  last_cause: Schema.NullOr(DeliveryCause).pipe(
    described(
      "Why the latest attempt failed, in words that stay the same; expired if it was given up without an attempt. Null after a success, and before the first attempt."
    )
  ),
  created_at: Timestamp,
  settled_at: Schema.NullOr(Timestamp)
}

export const DeliveryItem = Schema.Struct(fields).annotate({
  identifier: "Delivery",
  description: "The delivery of one event to one URL."
})

const Headers = Schema.Record(Schema.String, Schema.String)

const SentRequest = Schema.Struct({ headers: Headers, body: Schema.String }).annotate({
  identifier: "DeliveryRequest",
  description: "As it was sent, signatures included."
})

const ReceivedResponse = Schema.Struct({
  status: Schema.Int,
  headers: Headers,
  body: Schema.NullOr(Schema.String),
  truncated: Schema.Boolean.pipe(described("Whether there was more of the body than is kept."))
}).annotate({ identifier: "DeliveryResponse", description: "What the receiver answered." })

export const AttemptItem = Schema.Struct({
  round: Schema.Int,
  number: Schema.Int.pipe(described("Counts up from 1 within the round.")),
  started_at: Timestamp,
  duration_ms: Schema.Int,
  timings_ms: AttemptTimings.pipe(
    described(
      "How long each part took; null for a part that was not reached or not needed, such as a connection that was still open."
    )
  ),
  phase: AttemptPhase.pipe(described("How far it got.")),
  error: Schema.NullOr(Schema.String).pipe(described("What went wrong; null after a success.")),
  cause: Schema.NullOr(AttemptCause).pipe(
    described("Why it failed, in words that stay the same; null after a success.")
  ),
  remote_address: Schema.NullOr(Schema.String),
  request: Schema.NullOr(SentRequest).pipe(described("Null when nothing was sent.")),
  response: Schema.NullOr(ReceivedResponse).pipe(described("Null when no answer began to arrive."))
}).annotate({ identifier: "DeliveryAttempt", description: "One request to the receiver." })

export const DeliveryDetail = bodyOf("DeliveryDetail", "A delivery with its payload and attempts.", {
  ...fields,
  payload: Schema.String.pipe(described("The exact body that is signed and sent.")),
  attempts_log: Schema.Array(AttemptItem).pipe(
    described(`The latest attempts, oldest first: at most ${attemptsShownMax}, fewer if the body is large.`)
  )
})

export const DeadLetterGroup = Schema.Struct({
  origin: Schema.String.pipe(described("Scheme, host and port of the receiver.")),
  cause: DeliveryCause.pipe(described("Why the latest attempt failed.")),
  dead: Schema.Int.pipe(described(`How many there are; at most ${deadLettersCounted} are counted.`)),
  is_more: Schema.Boolean.pipe(described("Whether there are more than were counted.")),
  oldest_at: Timestamp.pipe(described("When the first of them was made.")),
  newest_at: Timestamp.pipe(described("When the last of them was made.")),
  types: Schema.Record(Schema.String, Schema.Int).pipe(
    described("How many of each event type, of those counted.")
  )
}).annotate({
  identifier: "DeadLetterGroup",
  description: "Dead deliveries to one receiver with one cause."
})

export const DeadLetterList = bodyOf("DeadLetterList", "Dead deliveries, by receiver and cause.", {
  data: Schema.Array(DeadLetterGroup),
  is_more: Schema.Boolean.pipe(
    described(`Whether there are more groups than the ${deadLetterGroupsMax} that are listed.`)
  )
})

export const DeliveryReplayed = bodyOf("DeliveryReplayed", "The delivery is due again.", {
  id: EventId,
  state: DeliveryState,
  round: Schema.Int
})

export const DeliveryTried = bodyOf("DeliveryTried", "The delivery is due now.", {
  id: EventId,
  state: DeliveryState,
  round: Schema.Int,
  attempts: Schema.Int.pipe(described("Attempts so far; the next one is the requested one.")),
  next_attempt_at: Schema.NullOr(Timestamp)
})

export const SignedCommand = bodyOf("SignedCommand", "The delivery as a command for a shell.", {
  command: Schema.String.pipe(
    described("For a POSIX shell with curl: the request with the same body and event id, freshly signed.")
  ),
  expires_at: Timestamp.pipe(described("From then on receivers refuse it as too old."))
})

export const AdminTestWebhookBody = Schema.Struct({
  callback_url: CallbackUrl.pipe(described("Where the test is sent.")),
  key_id: ApiKeyId.pipe(described("The key whose signing secret signs the test."))
}).annotate({ identifier: "AdminTestWebhook" })

/** Which deliveries a list or a replay wants. */
export const deliveryFilter = {
  type: Schema.optionalKey(WebhookEventType),
  execution_id: Schema.optionalKey(ExecutionId),
  endpoint_id: Schema.optionalKey(EndpointId).pipe(described("The standing endpoint that they are for.")),
  answer: Schema.optionalKey(AnswerClass).pipe(
    described("The answer to the latest attempt; none if it failed without one.")
  ),
  cause: Schema.optionalKey(DeliveryCause).pipe(described("Why the latest attempt failed.")),
  url_origin: Schema.optionalKey(UrlOrigin).pipe(
    described("The origin of the callback URL, as in https://hooks.example.com.")
  ),
  q: Schema.optionalKey(Schema.String.check(Schema.isBetweenCodePoints(1, 200), isStorableText)).pipe(
    described("A part of the event type or URL, or an id.")
  ),
  from: Schema.optionalKey(Timestamp).pipe(described("Created at or after.")),
  to: Schema.optionalKey(Timestamp).pipe(described("Created at or before."))
}

/** Also by key, for callers who see the deliveries of all keys. */
export const adminDeliveryFilter = {
  ...deliveryFilter,
  key_id: Schema.optionalKey(ApiKeyId).pipe(described("The key whose executions or tests caused them."))
}

const page = {
  status: Schema.optionalKey(Schema.Array(DeliveryState)).pipe(described("May be repeated.")),
  ...pageQuery
}

/** The query of a list of deliveries. */
export const deliveryQuery = { ...deliveryFilter, ...page }

export const adminDeliveryQuery = {
  ...adminDeliveryFilter,
  find: Schema.optionalKey(Reference).pipe(
    described(
      "The beginning of its id, or of the id or reference of its execution; an id by eight digits at least."
    )
  ),
  ...page
}

export const DeliveryPage = pageOf("DeliveryPage", DeliveryItem)
