/** Replays of many deliveries on the wire. */
import { ExecutionId, ReplayId } from "@runhook/core/domain/Ids"
import { ReplayableState, ReplayStatus } from "@runhook/core/domain/ReplayJob"
import { Timestamp } from "@runhook/core/domain/Timestamp"
import { WebhookEventType } from "@runhook/core/domain/WebhookEventType"
import * as Schema from "effect/Schema"
import { deliveryFilter } from "./DeliveryWire.ts"
import { described } from "./Described.ts"
import { bodyOf } from "./Envelope.ts"

export const ReplayBody = Schema.Struct({
  status: Schema.optionalKey(Schema.Array(ReplayableState)).pipe(
    described("States to replay from; dead alone unless given.")
  ),
  ...deliveryFilter
}).annotate({
  identifier: "ReplayDeliveries",
  description: "Which of the settled deliveries; all dead ones unless given."
})

const AcceptedFilter = Schema.Struct({
  status: Schema.Array(ReplayableState),
  type: Schema.NullOr(WebhookEventType),
  execution_id: Schema.NullOr(ExecutionId),
  q: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Timestamp),
  to: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ReplayFilter", description: "As it was asked for; null for any." })

export const ReplayDetail = bodyOf("Replay", "A job that sends settled deliveries again.", {
  id: ReplayId,
  status: ReplayStatus,
  replayed: Schema.Int.pipe(described("Deliveries that are due again by it, so far.")),
  filter: AcceptedFilter,
  created_at: Timestamp.pipe(described("What is settled later is not replayed.")),
  updated_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp).pipe(described("Null while it runs; forgotten 30 days later."))
})
