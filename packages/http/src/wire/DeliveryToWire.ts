/** Webhook deliveries, from the domain to the wire. */
import type { AttemptItem, DeliveryItem, DeadLetterList } from "@runhook/contract/wire/DeliveryWire"
import type { DeadLetters } from "@runhook/core/domain/delivery/DeadLetters"
import type { Delivery, DeliveryAttempt } from "@runhook/core/domain/delivery/Delivery"
import { textBytes } from "@runhook/core/domain/json/JsonBytes"
import { itemBytes, pageBytesMax } from "@runhook/core/domain/Page"
import type { FollowedDelivery } from "@runhook/core/usecases/Deliveries"
import * as Record from "effect/Record"

export const testQueued = (delivery: Delivery) => ({
  event_id: delivery.id,
  delivery_id: delivery.id,
  status: "queued" as const,
  callback_url: delivery.url
})

export const deliveryItem = ({ delivery, wait }: FollowedDelivery): typeof DeliveryItem.Type => ({
  id: delivery.id,
  event_id: delivery.id,
  type: delivery.type,
  state: delivery.state,
  callback_url: delivery.url,
  execution_id: delivery.executionId,
  key_id: delivery.apiKeyId,
  reference: delivery.reference,
  attempts: delivery.attempts,
  round: delivery.round,
  waiting_for: wait.waitingFor,
  next_attempt_at: wait.nextAttemptAt,
  expires_at: delivery.expiresAt,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  last_cause: delivery.lastCause,
  created_at: delivery.createdAt,
  settled_at: delivery.settledAt
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

export const deliveryReplayed = ({ id, round, state }: Delivery) => ({ id, state, round })

export const deliveryTried = ({ attempts, id, nextAttemptAt, round, state }: Delivery) => ({
  id,
  state,
  round,
  attempts,
  next_attempt_at: nextAttemptAt
})

const attemptItem = (attempt: DeliveryAttempt, body: string): typeof AttemptItem.Type => ({
  round: attempt.round,
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  timings_ms: attempt.timings,
  phase: attempt.phase,
  error: attempt.error,
  cause: attempt.cause,
  remote_address: attempt.remoteAddress,
  request: Record.isEmptyRecord(attempt.requestHeaders) ? null : { headers: attempt.requestHeaders, body },
  response:
    attempt.status === null
      ? null
      : {
          status: attempt.status,
          headers: attempt.responseHeaders,
          body: attempt.responseBody,
          truncated: attempt.isTruncated
        }
})

/** Dead deliveries by receiver and cause, from the domain to the wire. */
export const deadLetterList = ({
  groups,
  isMore
}: DeadLetters): Omit<typeof DeadLetterList.Type, "request_id"> => ({
  data: groups.map((group) => ({
    origin: group.origin,
    cause: group.cause,
    dead: group.dead,
    is_more: group.isMore,
    oldest_at: group.oldestAt,
    newest_at: group.newestAt,
    types: Object.fromEntries(group.types)
  })),
  is_more: isMore
})
