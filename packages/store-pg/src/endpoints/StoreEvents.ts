/** Calls the function `fan_out` (`functions/fan_out.sql`), which stores events for endpoints and forgets the notes of changes. */
import { deliveryLifetime, destinationOf } from "@runhook/core/deliveries/Delivery"
import { ExecutionEventType } from "@runhook/core/deliveries/WebhookEventType"
import type { EndpointEvent } from "@runhook/core/endpoints/EndpointEvent"
import { Execution } from "@runhook/core/executions/Execution"
import { AccountId, EventId, ExecutionId } from "@runhook/core/shared/Ids"
import type { Place } from "@runhook/core/deliveries/queue/DeliveryInlets"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { type Call, databaseFunction } from "../engine/DatabaseFunction.ts"
import { boolean, float8, integer, text, timestamptz, uuid } from "../sql/Parameters.ts"
import type { Columns } from "../sql/Rows.ts"

/** A change as it is noted: its execution as it was after it, and the number of the last endpoint that there was then. */
export const Note = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  executionId: ExecutionId,
  revision: Schema.Int,
  type: ExecutionEventType,
  status: Execution.fields.status,
  at: Schema.DateTimeUtc,
  startedAt: Execution.fields.startedAt,
  stoppedAt: Execution.fields.stoppedAt,
  lastEndpoint: Schema.Int
})
export type Note = typeof Note.Type

/** An event for an endpoint, with what its delivery shows of the execution. */
export interface Telling {
  readonly event: EndpointEvent
  readonly requestId: string
  readonly reference: string
}

/** A noted change, and an endpoint that is told of it; null if there is none. */
export interface Item {
  readonly note: Note
  readonly telling: Telling | null
  /** What the process' own dispatcher has kept for it. */
  readonly place?: Pick<Place, "dispatcher" | "lease"> | undefined
}

const told =
  <Value>(value: (telling: Telling, item: Item) => Value) =>
  (item: Item): Value | null =>
    item.telling === null ? null : value(item.telling, item)

const columns: Columns<Item> = {
  account_id: uuid(({ note }) => note.accountId),
  execution_id: uuid(({ note }) => note.executionId),
  revision: integer(({ note }) => note.revision),
  type: text(({ note }) => note.type),
  status: text(({ note }) => note.status),
  at: timestamptz(({ note }) => note.at),
  started_at: timestamptz(({ note }) => note.startedAt),
  stopped_at: timestamptz(({ note }) => note.stoppedAt),
  id: uuid(told(({ event }) => event.id)),
  api_key_id: uuid(told(({ event }) => event.apiKeyId)),
  endpoint_id: uuid(told(({ event }) => event.endpointId)),
  url: text(told(({ event }) => event.url)),
  origin: text(told(({ event }) => destinationOf(event.url))),
  request_id: text(told(({ requestId }) => requestId)),
  // One that is the id is not stored again.
  reference: text(told(({ reference }, { note }) => (reference === note.executionId ? null : reference))),
  dispatcher_id: uuid(({ place }) => place?.dispatcher ?? null),
  lease_millis: float8(({ place }) => (place ? Duration.toMillis(place.lease) : null))
}

interface Events extends Call<Item> {
  /** The store's now; null where the database's clock counts. */
  readonly at: DateTime.Utc | null
  /** What becomes of changes that another process is at: left to it, or waited for. */
  readonly locked: "skip" | "wait"
}

/** An item that was stored. */
export const StoredItem = Schema.Struct({
  /** Its place among the items, from 1. */
  place: Schema.Int,
  /** When its delivery was begun in the place that was kept for it; null when it was not. */
  begunAt: Schema.NullOr(Schema.DateTimeUtc),
  behind: Schema.NullOr(EventId)
})

export const storeEvents = databaseFunction({
  name: "fan_out",
  parameters: {
    now: timestamptz(({ at }: Events) => at),
    waits: boolean(({ locked }: Events) => locked === "wait"),
    delivery_millis: float8<Events>(() => Duration.toMillis(deliveryLifetime))
  },
  columns,
  answer: StoredItem
})
