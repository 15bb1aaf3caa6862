/** The headers of a request, without those that follow from the rest of its row: two thirds of their bytes. */
import type { DeliveryAttempt } from "@runhook/core/domain/Delivery"
import * as Predicate from "effect/Predicate"
import * as Records from "effect/Record"

type Attempt = Pick<DeliveryAttempt, "deliveryId" | "number" | "startedAt">

type Headers = DeliveryAttempt["requestHeaders"]

/** What requests mostly say. Rows are read by it however old they are, so it never changes: what requests say differently is stored. */
const usual = ({ deliveryId, number, startedAt }: Attempt): Headers => {
  const timestamp = String(Math.floor(startedAt.epochMilliseconds / 1_000))
  return {
    connection: "keep-alive",
    "Content-Type": "application/json",
    "User-Agent": "Runhook-Webhooks/1",
    "X-Webhook-Attempt": String(number),
    "X-Webhook-Event-Id": deliveryId,
    "X-Webhook-Timestamp": timestamp,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "accept-encoding": "identity"
  }
}

/** Headers by what is unusual about them; null for a usual one that is missing. */
export const unusualOf = (attempt: Attempt, headers: Headers): Readonly<Record<string, string | null>> => {
  const expected = usual(attempt)
  const missing = Records.filter(expected, (_, name) => !Records.has(headers, name))
  return {
    ...Records.map(missing, () => null),
    ...Records.filter(headers, (value, name) => expected[name] !== value)
  }
}

/** The headers of which that is unusual. */
export const restored = (attempt: Attempt, unusual: Readonly<Record<string, string | null>>): Headers =>
  Records.filter({ ...usual(attempt), ...unusual }, Predicate.isNotNull)
