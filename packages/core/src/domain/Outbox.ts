/** What a change of an execution has stored with it, in the same transaction. */
import { type Delivery, newDelivery } from "./Delivery.ts"
import type { EventId } from "./Ids.ts"
import type { Change } from "./Run.ts"
import { renderExecutionEvent } from "./WebhookPayload.ts"

/** The delivery of the change's event; null when the change has none. */
export const deliveryOf = ({ event, run: { execution, revision } }: Change, id: EventId): Delivery | null => {
  if (event === null || execution.callbackUrl === null) return null
  const { accountId, apiKeyId, callbackUrl: url, reference, requestId, updatedAt: at } = execution
  const body = renderExecutionEvent({ id, type: event, occurredAt: at, execution })
  const { id: executionId } = execution
  return newDelivery(
    { id, accountId, apiKeyId, executionId, revision, type: event, url, requestId, reference, body },
    at
  )
}
