/** Callbacks for the tests of a receiver. */
import type { WebhookEvent } from "../wire/Integration.ts"
import { secretsOf } from "./Secrets.ts"
import { sign } from "./Signature.ts"

/** A callback as the service would send it: give its body and headers to the receiver under test. */
export const signTest = async (
  event: WebhookEvent,
  {
    now = new Date(),
    secret
  }: {
    readonly secret: string
    /** When it is sent; now unless given. */
    readonly now?: Date
  }
) => {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  return {
    body,
    headers: {
      "content-type": "application/json",
      "x-webhook-event-id": event.event_id,
      "x-webhook-timestamp": timestamp,
      "x-webhook-signature": await sign(secretsOf(secret)[0] ?? "", { body, timestamp })
    }
  }
}
