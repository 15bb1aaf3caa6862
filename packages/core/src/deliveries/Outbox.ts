/** What is stored with a change of an execution, in the same transaction. */
import * as DateTime from "effect/DateTime"
import { type Delivery, newDelivery } from "./Delivery.ts"
import { isHeld, isProbed, type ReceiverState } from "./claim/Receiver.ts"
import { renderExecutionEvent } from "./WebhookPayload.ts"
import type { EventId } from "../shared/Ids.ts"
import type { Change } from "../runs/Run.ts"

/** The delivery of the change's event; null if it has none. Stored at `at`, or at the moment of the change. */
export const deliveryOf = (
  { event, run: { execution, revision } }: Change,
  id: EventId,
  at: DateTime.Utc = execution.updatedAt
): Delivery | null => {
  if (event === null || execution.callbackUrl === null) return null
  const {
    accountId,
    apiKeyId,
    callbackUrl: url,
    reference,
    requestId,
    traceparent,
    updatedAt: createdAt
  } = execution
  const body = renderExecutionEvent({ id, type: event, occurredAt: createdAt, execution })
  const { id: executionId } = execution
  const subject = {
    id,
    accountId,
    apiKeyId,
    executionId,
    revision,
    type: event,
    url,
    requestId,
    reference,
    body,
    traceparent
  }
  return { ...newDelivery(subject, at), createdAt }
}

/** Whether a new delivery may be claimed as it is stored, if a dispatcher has a place for it. */
export const mayBeginAtOnce = (options: {
  readonly delivery: Pick<Delivery, "expiresAt">
  /** Whether an earlier event of its execution is pending that the dispatcher does not hold itself. */
  readonly hasEarlier: boolean
  readonly receiver: ReceiverState
  readonly at: DateTime.Utc
}): boolean => {
  const { at, delivery, hasEarlier, receiver } = options
  return (
    DateTime.isGreaterThan(delivery.expiresAt, at) &&
    !hasEarlier &&
    !isProbed(receiver) &&
    !isHeld(receiver, at)
  )
}
