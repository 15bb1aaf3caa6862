/** An execution to create, and the columns that the statement gets of it. */
import { seatRank } from "@runhook/core/domain/execution/Concurrency"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import type { EventId } from "@runhook/core/domain/Ids"
import { accepted, type Change, type Run } from "@runhook/core/domain/run/Run"
import type { Idempotency } from "@runhook/core/ports/ExecutionStore"
import type { Place } from "@runhook/core/runtime/DeliveryInlets"
import type { WorkPlace } from "@runhook/core/runtime/WorkInlets"
import * as Duration from "effect/Duration"
import { float8, integer, json, text, texts, timestamptz, uuid } from "../../sql/Parameters.ts"
import { destinationColumns } from "../../deliveries/queue/OutgoingEvents.ts"
import type { Columns } from "../../sql/Rows.ts"

/** An execution to store, as the port is asked for it, and the id of its first event. */
export interface Creation {
  readonly execution: Execution
  readonly idempotency: Idempotency | null
  readonly accountMaxLive: number
  readonly keyMaxLive: number | null
  readonly eventId: EventId
}

/** The change that it is, once it is stored. */
export const madeBy = ({ eventId, execution }: Creation): Change => {
  const change = accepted(execution)
  return change.event === null ? change : { ...change, deliveryId: eventId }
}

/** For how many milliseconds the idempotency key of a creation is remembered. */
export const keyLifetime = ({ execution, idempotency }: Creation): number | null =>
  idempotency && idempotency.expiresAt.epochMilliseconds - execution.createdAt.epochMilliseconds

/** A creation with what its execution is from the beginning, and the place that is kept for its event. */
export interface Asked extends Creation {
  readonly order: number
  readonly change: Change
  readonly place: Place | undefined
  readonly poll: WorkPlace | undefined
  /** What it is for the poll that has kept a place for it, if it gets it. */
  readonly taken: Run | undefined
}

/** What never changes about an execution: the columns of `execution_requests`, but for its size. */
export const requestColumns: Columns<Asked> = {
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
  priority: integer(({ execution }) => execution.priority),
  scheduled_at: timestamptz(({ execution }) => execution.scheduledAt),
  expires_at: timestamptz(({ execution }) => execution.expiresAt),
  timeout_seconds: integer(({ execution }) => execution.timeoutSeconds),
  max_attempts: integer(({ execution }) => execution.maxAttempts),
  retry_backoff: json(({ execution }) => JSON.stringify(execution.retryBackoff)),
  callback_url: text(({ execution }) => execution.callbackUrl),
  callback_events: texts(({ execution }) => execution.callbackEvents),
  request_id: text(({ execution }) => execution.requestId),
  rerun_of: uuid(({ execution }) => execution.rerunOf),
  schedule_id: uuid(({ execution }) => execution.scheduleId),
  concurrency: json(({ execution }) => execution.concurrency && JSON.stringify(execution.concurrency)),
  traceparent: text(({ execution }) => execution.traceparent),
  created_at: timestamptz(({ execution }) => execution.createdAt)
}

/** Of those that wait for a seat of their key. */
export const seatColumns: Columns<Asked> = {
  concurrency_key: text(({ execution }) => execution.concurrency?.key ?? null),
  seat_rank: integer(({ execution }) => seatRank(execution)),
  seats: integer(({ execution }) => execution.concurrency?.limit ?? null)
}

export const hasKey = ({ execution }: Pick<Creation, "execution">): boolean => execution.concurrency !== null

const bytesOf = ({ metadata, params, sealedParams }: Execution): number =>
  metadata.bytes + params.bytes + (sealedParams?.length ?? 0)

export const columns: Columns<Asked> = {
  /** In which order they are asked for. */
  place: integer(({ order }) => order),
  ...requestColumns,
  /** By which it goes before others of its queue. */
  rank: integer(({ execution }) => -execution.priority),
  bytes: integer(({ execution }) => bytesOf(execution)),
  status: text(({ execution }) => execution.status),
  event: text(({ change }) => change.event),
  announced: text(({ change }) => change.announced),
  event_id: uuid(({ eventId }) => eventId),
  ...destinationColumns(({ execution }) => execution),
  idempotency_key: text(({ idempotency }) => idempotency && idempotency.key),
  fingerprint: text(({ idempotency }) => idempotency && idempotency.fingerprint),
  key_lifetime: float8(keyLifetime),
  account_max_live: integer(({ accountMaxLive }) => accountMaxLive),
  key_max_live: integer(({ keyMaxLive }) => keyMaxLive),
  lease: float8(({ place }) => (place ? Duration.toMillis(place.lease) : null)),
  dispatcher_id: uuid(({ place }) => place?.dispatcher ?? null)
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
