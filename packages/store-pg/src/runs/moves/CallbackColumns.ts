/** The callback of a move: stored as a delivery, and queued, or leased by the dispatcher that has reserved a place. */
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import type { Execution } from "@runhook/core/executions/Execution"
import * as DateTime from "effect/DateTime"
import { destinationOf } from "@runhook/core/deliveries/Delivery"
import { text, timestamptz, uuid } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import type { Step } from "./Move.ts"

/** A value of the callback of a step, if it has one. */
const ofCallback =
  <Value>(value: (execution: Execution, step: Step) => Value) =>
  (step: Step): Value | null =>
    step.change.event === null ? null : value(step.change.run.execution, step)

export const callbackColumns: Columns<Step> = {
  event: text(({ change }) => change.event),
  event_id: uuid(({ change }) => change.deliveryId ?? null),
  callback_url: text(ofCallback(({ callbackUrl }) => callbackUrl)),
  request_id: text(ofCallback(({ requestId }) => requestId)),
  // One that is the id is not stored again.
  reference: text(ofCallback(({ id, reference }) => (reference === id ? null : reference))),
  origin: text(ofCallback(({ callbackUrl }) => callbackUrl && destinationOf(callbackUrl))),
  told_at: timestamptz(ofCallback((_, { at }) => at)),
  told_until: timestamptz(ofCallback((_, { at }) => DateTime.addDuration(at, deliveryLifetime))),
  begun_until: timestamptz(({ at, place }) => (place ? DateTime.addDuration(at, place.lease) : null)),
  dispatcher_id: uuid(({ place }) => place?.dispatcher ?? null)
}
