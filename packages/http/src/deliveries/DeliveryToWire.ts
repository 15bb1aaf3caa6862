/** Webhook deliveries, from the domain to the wire. */
import {
  AttemptItem,
  DeadLetterGroup,
  DeliveryItem,
  DeliveryReplayed,
  DeliveryTried
} from "@runhook/contract/deliveries/DeliveryWire"
import type { DeadLetters } from "@runhook/core/deliveries/DeadLetters"
import type { Delivery, DeliveryAttempt, DeliverySummary } from "@runhook/core/deliveries/Delivery"
import type { Wait } from "@runhook/core/deliveries/claim/DeliveryWait"
import { textBytes } from "@runhook/core/shared/json/JsonBytes"
import { itemBytes, pageBytesMax } from "@runhook/core/shared/Page"
import type { FollowedDelivery } from "@runhook/core/deliveries/Deliveries"
import * as Record from "effect/Record"
import { showing } from "../shared/Names.ts"

/** A test that was queued, but for where it goes. */
export const testQueued = ({ delivery: { id }, wait }: FollowedDelivery) => ({
  event_id: id,
  delivery_id: id,
  status: "queued" as const,
  waiting_for: wait.waitingFor,
  next_attempt_at: wait.nextAttemptAt
})

export const deliveryItem = ({ delivery, wait }: FollowedDelivery) => shownDelivery({ ...delivery, ...wait })

const shownDelivery = showing(DeliveryItem)<DeliverySummary & Wait>({
  event_id: ({ id }) => id,
  callback_url: ({ url }) => url,
  key_id: ({ apiKeyId }) => apiKeyId
})

export const deliveryDetail = ({
  attempts,
  delivery,
  wait
}: FollowedDelivery<Delivery> & { readonly attempts: ReadonlyArray<DeliveryAttempt> }) => ({
  ...deliveryItem({ delivery, wait }),
  payload: delivery.body,
  attempts_log: latest(attempts, delivery.body).map((attempt) => attemptItem(attempt, delivery.body))
})

/** As many of the latest attempts as an answer has room for; each is shown with the body that it sent. */
const latest = (attempts: ReadonlyArray<DeliveryAttempt>, body: string): ReadonlyArray<DeliveryAttempt> => {
  const bodyBytes = textBytes(body)
  let room = pageBytesMax
  const first = attempts.findLastIndex(({ responseBody }) => {
    room -= itemBytes + bodyBytes + textBytes(responseBody ?? "")
    return room < 0
  })
  return attempts.slice(Math.min(first + 1, attempts.length - 1))
}

export const deliveryReplayed = showing(DeliveryReplayed)<Delivery>({})

export const deliveryTried = showing(DeliveryTried)<Delivery>({})

const attemptItem = (attempt: DeliveryAttempt, body: string) => shownAttempt({ ...attempt, body })

const shownAttempt = showing(AttemptItem)<DeliveryAttempt & { readonly body: string }>({
  timings_ms: ({ timings }) => timings,
  request: ({ body, requestHeaders: headers }) => (Record.isEmptyRecord(headers) ? null : { headers, body }),
  response: ({ isTruncated, responseBody, responseHeaders, status }) =>
    status === null ? null : { status, headers: responseHeaders, body: responseBody, truncated: isTruncated }
})

const deadLetterGroup = showing(DeadLetterGroup)<DeadLetters["groups"][number]>({
  types: ({ types }) => Object.fromEntries(types)
})

/** Dead deliveries by receiver and cause, from the domain to the wire. */
export const deadLetterList = ({ groups, isMore }: DeadLetters) => ({
  data: groups.map(deadLetterGroup),
  is_more: isMore
})
