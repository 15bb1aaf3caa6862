/** What the database is given of an execution to create. */
import { destinationOf } from "@runhook/core/deliveries/Delivery"
import { seatRank } from "@runhook/core/runs/seats/Concurrency"
import type { Execution } from "@runhook/core/executions/Execution"
import type { Change, Run } from "@runhook/core/runs/Run"
import type { Place } from "@runhook/core/deliveries/queue/DeliveryInlets"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { float8, integer, json, smallint, text, texts, timestamptz, uuid } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import type { Creation } from "./Creates.ts"

/** For how many milliseconds the idempotency key of a creation is remembered. */
const keyLifetime = ({ execution, idempotency }: Creation): number | null =>
  idempotency && idempotency.expiresAt.epochMilliseconds - execution.createdAt.epochMilliseconds

/** A creation with what its execution is from the beginning, and the place that is kept for its event. */
export interface Item extends Creation {
  readonly change: Change
  readonly place: Place | undefined
  /** What it is for the poll that has kept a place for it, if it gets it. */
  readonly taken: Run | undefined
}

const bytesOf = ({ metadata, params, sealedParams }: Execution): number =>
  metadata.bytes + params.bytes + (sealedParams?.length ?? 0)

const millisUntil =
  (momentOf: (run: Run) => DateTime.Utc | null | undefined) =>
  ({ execution, taken }: Item): number | null => {
    const moment = taken && momentOf(taken)
    return moment ? moment.epochMilliseconds - execution.createdAt.epochMilliseconds : null
  }

/** What `create_executions` is given of each, in the order of its parameters. */
export const columns: Columns<Item> = {
  account_id: uuid(({ execution }) => execution.accountId),
  id: uuid(({ execution }) => execution.id),
  api_key_id: uuid(({ execution }) => execution.apiKeyId),
  agent_id: uuid(({ execution }) => execution.agentId),
  task_id: uuid(({ execution }) => execution.taskId),
  task_version_id: uuid(({ execution }) => execution.taskVersionId),
  reference: text(({ execution }) => execution.reference),
  metadata: json(({ execution }) => execution.metadata.text),
  params: json(({ execution }) => execution.params.text),
  sealed_params: text(({ execution }) => execution.sealedParams),
  priority: smallint(({ execution }) => execution.priority),
  scheduled_at: timestamptz(({ execution }) => execution.scheduledAt),
  expires_at: timestamptz(({ execution }) => execution.expiresAt),
  timeout_seconds: integer(({ execution }) => execution.timeoutSeconds),
  max_attempts: smallint(({ execution }) => execution.maxAttempts),
  retry_backoff: json(({ execution }) => JSON.stringify(execution.retryBackoff)),
  callback_url: text(({ execution }) => execution.callbackUrl),
  callback_events: texts(({ execution }) => execution.callbackEvents),
  request_id: text(({ execution }) => execution.requestId),
  rerun_of: uuid(({ execution }) => execution.rerunOf),
  schedule_id: uuid(({ execution }) => execution.scheduleId),
  concurrency: json(({ execution }) => execution.concurrency && JSON.stringify(execution.concurrency)),
  traceparent: text(({ execution }) => execution.traceparent),
  created_at: timestamptz(({ execution }) => execution.createdAt),
  bytes: integer(({ execution }) => bytesOf(execution)),
  status: text(({ execution }) => execution.status),
  account_max: integer(({ accountMaxLive }) => accountMaxLive),
  key_max: integer(({ keyMaxLive }) => keyMaxLive),
  // Of those that wait for a seat of their key.
  concurrency_key: text(({ execution }) => execution.concurrency?.key ?? null),
  seat_rank: smallint(({ execution }) => (execution.concurrency === null ? null : seatRank(execution))),
  seats: smallint(({ execution }) => execution.concurrency?.limit ?? null),
  idempotency_key: text(({ idempotency }) => idempotency && idempotency.key),
  fingerprint: text(({ idempotency }) => idempotency && idempotency.fingerprint),
  key_millis: float8(keyLifetime),
  // Of their callbacks.
  event: text(({ change }) => change.event),
  event_id: uuid(({ change, eventId }) => (change.event === null ? null : eventId)),
  origin: text(({ execution: { callbackUrl } }) => callbackUrl && destinationOf(callbackUrl)),
  // One that is the id is not stored again.
  told_reference: text(({ execution: { id, reference } }) => (reference === id ? null : reference)),
  dispatcher_id: uuid(({ place }) => place?.dispatcher ?? null),
  lease_millis: float8(({ place }) => (place ? Duration.toMillis(place.lease) : null)),
  announced: text(({ change }) => change.announced),
  // Of those that a poll gets, as if it were so when the caller says that they were created: moments by their distance.
  session_id: uuid(({ taken }) => taken?.lease?.sessionId ?? null),
  claim_id: text(({ taken }) => taken?.lease?.claimId ?? null),
  taken_status: text(({ taken }) => taken?.execution.status ?? null),
  taken_attempt: smallint(({ taken }) => taken?.execution.attempt ?? null),
  taken_revision: integer(({ taken }) => taken?.revision ?? null),
  taken_millis: float8(millisUntil(({ lease }) => lease?.expiresAt)),
  timeout_millis: float8(millisUntil(({ deadlineAt }) => deadlineAt))
}

/** All but those that repeat the idempotency key of one before them. */
export const withoutRepeats = (items: ReadonlyArray<Creation>): ReadonlyArray<Creation> => {
  const firsts = new Map<string, Creation>()
  for (const item of items) {
    const { execution, idempotency } = item
    const key = `${execution.apiKeyId} ${idempotency?.key ?? execution.id}`
    if (!firsts.has(key)) firsts.set(key, item)
  }
  return [...firsts.values()]
}
