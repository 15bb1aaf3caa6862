/** Webhook deliveries, from the domain to the wire. */
import type { AttemptItem, DeliveryItem } from "@runhook/contract/wire/DeliveryWire"
import type { Delivery, DeliveryAttempt } from "@runhook/core/domain/Delivery"

export const testQueued = (delivery: Delivery, request_id: string) => ({
  event_id: delivery.id,
  delivery_id: delivery.id,
  status: "queued" as const,
  callback_url: delivery.url,
  request_id
})

export const deliveryItem = (delivery: Delivery): typeof DeliveryItem.Type => ({
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
  next_attempt_at: delivery.nextAttemptAt,
  expires_at: delivery.expiresAt,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  created_at: delivery.createdAt,
  settled_at: delivery.settledAt
})

export const attemptItem = (attempt: DeliveryAttempt): typeof AttemptItem.Type => ({
  round: attempt.round,
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  phase: attempt.phase,
  status: attempt.status,
  error: attempt.error,
  remote_address: attempt.remoteAddress,
  response_headers: attempt.responseHeaders,
  response_body: attempt.responseBody,
  truncated: attempt.isTruncated
})
