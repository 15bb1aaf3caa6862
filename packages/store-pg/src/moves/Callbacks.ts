/** The callbacks that steps send. */
import { deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import * as DateTime from "effect/DateTime"
import { destinationColumns, outgoing, outgoingQueue } from "../deliveries/queue/OutgoingEvents.ts"
import { text, timestamptz, uuid } from "../sql/Parameters.ts"
import type { Consequence } from "./Consequence.ts"
import type { Step } from "./Move.ts"

export const keyColumns = { api_key_id: uuid(({ change }: Step) => change.run.execution.apiKeyId) }

const hasEvent = ({ change }: Step): boolean => change.event !== null

/** Callbacks, stored as deliveries, */
export const tells: Consequence = {
  isOf: hasEvent,
  columns: {
    event_id: uuid(({ change }) => change.deliveryId ?? null),
    event: text(({ change }) => change.event),
    ...keyColumns,
    callback_url: text(({ change }) => change.run.execution.callbackUrl),
    request_id: text(({ change }) => change.run.execution.requestId),
    ...destinationColumns(({ change }) => change.run.execution),
    told_at: timestamptz(({ at }) => at),
    told_until: timestamptz(({ at }) => DateTime.addDuration(at, deliveryLifetime)),
    begun_until: timestamptz(({ at, place }) => (place ? DateTime.addDuration(at, place.lease) : null)),
    dispatcher_id: uuid(({ place }) => place?.dispatcher ?? null)
  },
  with: outgoing({ from: "after", at: "told_at", events: "any" }),
  inserts: {
    as: "told",
    into: "webhook_deliveries",
    from: "outgoing",
    row: {
      account_id: "account_id",
      id: "event_id",
      api_key_id: "api_key_id",
      execution_id: "id",
      revision: "revision_after",
      type: "event",
      url: "callback_url",
      request_id: "request_id",
      reference: "told_reference",
      execution_status: "status",
      execution_started_at: "started_at",
      execution_stopped_at: "stopped_at",
      state: "'pending'",
      attempts: "attempts",
      attempted_at: "attempted_at",
      round: "1",
      next_attempt_at: "next_attempt_at",
      expires_at: "told_until",
      created_at: "updated_at"
    }
  },
  begun: {
    isBegun: "id IN (SELECT id FROM outgoing WHERE is_begun)",
    behind: "(SELECT o.behind FROM outgoing o WHERE o.id = after.id)"
  }
}

/** and queued, or leased by the dispatcher that has reserved a place. */
export const queuesEvent: Consequence = {
  isOf: hasEvent,
  inserts: { as: "telling", into: "webhook_queue", from: "outgoing", row: outgoingQueue }
}
