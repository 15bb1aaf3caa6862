/** The delivery of a `webhook.test` event, which belongs to no execution. */
import { instantOf } from "../Ids.ts"
import { type Delivery, newDelivery } from "./Delivery.ts"
import { renderTestEvent, testReference } from "./WebhookPayload.ts"

/** A test to the URL, signed with the secret of the key, or of the endpoint if one is named. */
export const testDelivery = (
  subject: Pick<Delivery, "accountId" | "apiKeyId" | "id" | "requestId" | "url"> &
    Partial<Pick<Delivery, "endpointId">>
): Delivery => {
  const { id, requestId } = subject
  const at = instantOf(id)
  return newDelivery(
    {
      ...subject,
      executionId: null,
      revision: null,
      type: "webhook.test",
      reference: testReference,
      body: renderTestEvent({ id, occurredAt: at, requestId })
    },
    at
  )
}
