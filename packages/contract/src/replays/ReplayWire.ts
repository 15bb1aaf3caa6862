/** Replays of many deliveries on the wire. */
import { AnswerClass, DeliveryCause } from "@runhook/core/deliveries/steps/AttemptCause"
import { ReplayableState, replayIdsMax } from "@runhook/core/replays/ReplayJob"
import { originsShownMax, previewBounds } from "@runhook/core/replays/ReplayPreview"
import { WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import { ApiKeyId, EndpointId, EventId, ExecutionId, ReplayId } from "@runhook/core/shared/Ids"
import { JobStatus } from "@runhook/core/jobs/Job"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { adminDeliveryFilter, deliveryFilter } from "../deliveries/DeliveryWire.ts"
import { described } from "../shared/Described.ts"
import { bodyOf, pageOf } from "../shared/Envelope.ts"

const chosen = {
  status: Schema.optionalKey(Schema.Array(ReplayableState)).pipe(
    described("States to replay; only dead unless given.")
  ),
  ids: Schema.optionalKey(
    Schema.Array(EventId).check(Schema.isMinLength(1), Schema.isMaxLength(replayIdsMax))
  ).pipe(described(`Only these, if they match: at most ${replayIdsMax}.`)),
  last_only: Schema.optionalKey(Schema.Boolean).pipe(
    described(
      "Leave out events that a later one of their execution follows, however that one fared. False unless given."
    )
  ),
  dry_run: Schema.optionalKey(Schema.Boolean).pipe(
    described("Answer what would be replayed, and replay nothing. False unless given.")
  )
}

export const ReplayBody = Schema.Struct({ ...deliveryFilter, ...chosen }).annotate({
  identifier: "ReplayDeliveries",
  description: "Which of the settled deliveries; all dead ones unless given."
})

export const AdminReplayBody = Schema.Struct({ ...adminDeliveryFilter, ...chosen }).annotate({
  identifier: "AdminReplayDeliveries",
  description: "Which of the settled deliveries of the account; all dead ones unless given."
})

export const WouldReplay = bodyOf("WouldReplay", "What a replay would do. Nothing has been changed.", {
  would_replay: Schema.Int.pipe(
    described(
      `Deliveries that match. The count stops at ${previewBounds.counted}, or after looking at ${previewBounds.seen}.`
    )
  ),
  is_more: Schema.Boolean.pipe(described("Whether there may be more than were counted.")),
  origins: Schema.Array(Schema.Struct({ origin: Schema.String, count: Schema.Int })).pipe(
    described(`The receivers that get the most of them, at most ${originsShownMax}.`)
  ),
  types: Schema.Record(Schema.String, Schema.Int).pipe(described("How many of each event type.")),
  oldest_at: Schema.NullOr(Timestamp).pipe(described("When the oldest of those counted was made.")),
  newest_at: Schema.NullOr(Timestamp)
})

export const AcceptedFilter = Schema.Struct({
  status: Schema.Array(ReplayableState),
  type: Schema.NullOr(WebhookEventType),
  execution_id: Schema.NullOr(ExecutionId),
  endpoint_id: Schema.NullOr(EndpointId),
  key_id: Schema.NullOr(ApiKeyId),
  answer: Schema.NullOr(AnswerClass),
  cause: Schema.NullOr(DeliveryCause),
  url_origin: Schema.NullOr(Schema.String),
  q: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Timestamp),
  to: Schema.NullOr(Timestamp),
  ids: Schema.NullOr(Schema.Array(EventId)),
  last_only: Schema.Boolean
}).annotate({ identifier: "ReplayFilter", description: "As requested; null for any." })

const fields = {
  id: ReplayId,
  status: JobStatus,
  expected: Schema.NullOr(Schema.Int).pipe(
    described("How many it would replay, counted when it began; null if there were too many to count.")
  ),
  replayed: Schema.Int.pipe(described("Deliveries that it has made due again so far.")),
  delivered: Schema.Int.pipe(described("Of them, those that have arrived.")),
  failed: Schema.Int.pipe(described("Of them, those that were given up again.")),
  waiting: Schema.Int.pipe(described("Of them, those that are still being delivered.")),
  filter: AcceptedFilter,
  created_at: Timestamp.pipe(described("Deliveries settled after this are not replayed.")),
  updated_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp).pipe(
    described("Null while it runs; the job is removed 30 days later.")
  )
}

const description = "A job that sends settled deliveries again."

export const ReplayItem = Schema.Struct(fields).annotate({ identifier: "ReplayJob", description })

export const ReplayDetail = bodyOf("Replay", description, fields)

export const ReplayPage = pageOf("ReplayPage", ReplayItem)
