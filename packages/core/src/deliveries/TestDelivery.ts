/** The delivery of a `webhook.test` event, which belongs to no execution. */
import { instantOf } from "../shared/Ids.ts"
import { type Delivery, newDelivery } from "./Delivery.ts"
import { isProbed, type ReceiverState } from "./claim/Receiver.ts"
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

/**
 * Whether a new delivery is tried now although the breaker of its receiver is open: only a test, as one more probe, and
 * only if no other delivery to that receiver is to be tried now. So tests go one after the other, however many are
 * queued. A pause that the receiver asked for holds tests too.
 */
export const passesBreaker = (
  { type }: Pick<Delivery, "type">,
  { isAnotherTried, receiver }: { readonly isAnotherTried: boolean; readonly receiver: ReceiverState }
): boolean => type === "webhook.test" && isProbed(receiver) && !isAnotherTried
