/** Stores events for endpoints. All wait in the queue. */
import { deliveryLifetime, destinationOf } from "@runhook/core/domain/delivery/Delivery"
import { ExecutionEventType } from "@runhook/core/domain/delivery/WebhookEventType"
import type { EndpointEvent } from "@runhook/core/domain/endpoint/EndpointEvent"
import { AccountId, ExecutionId } from "@runhook/core/domain/Ids"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { inBucket, integer, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { fixedRows } from "../sql/Rows.ts"
import { fixed, type InBucket, statement } from "../sql/Statement.ts"

/** A change as it is noted: its execution as it was after it, and the number of the last endpoint that there was then. */
export const Note = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  executionId: ExecutionId,
  revision: Schema.Int,
  type: ExecutionEventType,
  status: Schema.String,
  at: Schema.DateTimeUtc,
  startedAt: Schema.NullOr(Schema.DateTimeUtc),
  stoppedAt: Schema.NullOr(Schema.DateTimeUtc),
  lastEndpoint: Schema.Int
})
export type Note = typeof Note.Type

export interface Telling {
  readonly event: EndpointEvent
  readonly note: Note
  readonly requestId: string
  readonly reference: string
}

interface Batch extends InBucket {
  readonly tellings: ReadonlyArray<Telling>
}

export const storeDeliveries = statement(fixed<Batch>`
INSERT INTO webhook_deliveries (
  bucket, account_id, id, api_key_id, endpoint_id, execution_id, revision, type, url, request_id, reference,
  execution_status, execution_started_at, execution_stopped_at, state, attempts, round, next_attempt_at, expires_at,
  created_at
)
SELECT ${inBucket}, e.account_id, e.id, e.api_key_id, e.endpoint_id, e.execution_id, e.revision, e.type, e.url,
  e.request_id, e.reference, e.status, e.started_at, e.stopped_at, 'pending', 0, 1, e.at,
  e.at + ${Duration.toMillis(deliveryLifetime)} * interval '1 millisecond', e.at
FROM ${fixedRows("e", ({ tellings }: Batch) => tellings, {
  account_id: uuid(({ event }: Telling) => event.accountId),
  id: uuid(({ event }) => event.id),
  api_key_id: uuid(({ event }) => event.apiKeyId),
  endpoint_id: uuid(({ event }) => event.endpointId),
  execution_id: uuid(({ note }) => note.executionId),
  revision: integer(({ note }) => note.revision),
  type: text(({ note }) => note.type),
  url: text(({ event }) => event.url),
  request_id: text(({ requestId }) => requestId),
  reference: text(({ note, reference }) => (reference === note.executionId ? null : reference)),
  status: text(({ note }) => note.status),
  started_at: timestamptz(({ note }) => note.startedAt),
  stopped_at: timestamptz(({ note }) => note.stoppedAt),
  at: timestamptz(({ note }) => note.at)
})}`)

export const queueDeliveries = statement(fixed<Batch>`
INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
SELECT ${inBucket}, e.account_id, e.origin, FALSE, e.at, e.id
FROM ${fixedRows("e", ({ tellings }: Batch) => tellings, {
  account_id: uuid(({ event }: Telling) => event.accountId),
  origin: text(({ event }) => destinationOf(event.url)),
  at: timestamptz(({ note }) => note.at),
  id: uuid(({ event }) => event.id)
})}`)
