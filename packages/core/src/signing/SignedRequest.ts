/**
 * The HTTP request of one attempt. Body and event id never change; timestamp and
 * signatures are of this moment.
 */
import type * as Arr from "effect/Array"
import type * as DateTime from "effect/DateTime"
import type { Delivery } from "../deliveries/Delivery.ts"
import type { SigningKeys } from "./SigningSecret.ts"
import { sign, signStandard, timestampAt } from "./WebhookSignature.ts"

/** One signed HTTP POST. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const userAgent = "Runhook-Webhooks/1"

/** The request, signed by the first of the keys for the specified header and by all of them for Standard Webhooks. */
export const signedRequest = (options: {
  readonly delivery: Pick<Delivery, "attempts" | "body" | "id" | "traceparent" | "url">
  readonly keys: Arr.NonEmptyReadonlyArray<SigningKeys>
  readonly at: DateTime.Utc
}): WebhookRequest => {
  const { at, keys } = options
  const { attempts, body, id, traceparent, url } = options.delivery
  return {
    url,
    body,
    headers: {
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      "X-Webhook-Attempt": String(attempts),
      "X-Webhook-Event-Id": id,
      ...signatureHeaders({ id, body, keys, at }),
      ...(traceparent === null ? {} : { traceparent })
    }
  }
}

/** The headers by which a receiver verifies the body of an event. */
export const signatureHeaders = ({
  at,
  body,
  id,
  keys
}: {
  readonly id: string
  readonly body: string
  readonly keys: Arr.NonEmptyReadonlyArray<SigningKeys>
  readonly at: DateTime.Utc
}) => {
  const timestamp = timestampAt(at)
  return {
    "X-Webhook-Timestamp": timestamp,
    "X-Webhook-Signature": sign(keys[0], { body, timestamp }),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signStandard(keys, { id, body, timestamp })
  }
}
