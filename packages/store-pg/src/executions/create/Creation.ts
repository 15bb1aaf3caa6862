/** Executions to store, and what the statement that stores them is given of each. */
import type { Place } from "@runhook/core/runtime/DeliveryInlets"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import type { EventId } from "@runhook/core/domain/Ids"
import { accepted, type Change } from "@runhook/core/domain/run/Run"
import type { Idempotency } from "@runhook/core/ports/ExecutionStore"
import * as Duration from "effect/Duration"
import { integers } from "../../sql/Arrays.ts"
import { type Column, columnsOf } from "../../sql/AskedRelation.ts"

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
const keyLifetime = ({ execution, idempotency }: Creation): number | null =>
  idempotency && idempotency.expiresAt.epochMilliseconds - execution.createdAt.epochMilliseconds

/** A creation with what its execution is from the beginning, and the place that is kept for its event. */
export interface Asked extends Creation {
  readonly change: Change
  readonly place: Place | undefined
}

const { double, instant, integer, text, uuid, words } = columnsOf<Asked>()

/** In which order they are asked for. */
const numbered: Column<Asked> = {
  name: "place",
  type: "integer",
  values: (asked) => integers(asked.map((_, place) => place))
}

export const columns: ReadonlyArray<Column<Asked>> = [
  numbered,
  uuid("account_id", ({ execution }) => execution.accountId),
  uuid("id", ({ execution }) => execution.id),
  uuid("api_key_id", ({ execution }) => execution.apiKeyId),
  uuid("agent_id", ({ execution }) => execution.agentId),
  uuid("task_id", ({ execution }) => execution.taskId),
  uuid("task_version_id", ({ execution }) => execution.taskVersionId),
  text("status", ({ execution }) => execution.status),
  text("reference", ({ execution }) => execution.reference),
  text("metadata", ({ execution }) => execution.metadata.text),
  text("params", ({ execution }) => execution.params.text),
  integer("priority", ({ execution }) => execution.priority),
  instant("scheduled_at", ({ execution }) => execution.scheduledAt),
  instant("expires_at", ({ execution }) => execution.expiresAt),
  integer("timeout_seconds", ({ execution }) => execution.timeoutSeconds),
  integer("max_attempts", ({ execution }) => execution.maxAttempts),
  text("retry_backoff", ({ execution }) => JSON.stringify(execution.retryBackoff)),
  text("callback_url", ({ execution }) => execution.callbackUrl),
  words("callback_events", ({ execution }) => execution.callbackEvents),
  text("request_id", ({ execution }) => execution.requestId),
  uuid("rerun_of", ({ execution }) => execution.rerunOf),
  instant("created_at", ({ execution }) => execution.createdAt),
  words("announced", ({ change }) => change.run.execution.announced),
  text("event", ({ change }) => change.event),
  uuid("event_id", ({ eventId }) => eventId),
  text("idempotency_key", ({ idempotency }) => idempotency && idempotency.key),
  text("fingerprint", ({ idempotency }) => idempotency && idempotency.fingerprint),
  double("key_lifetime", keyLifetime),
  integer("account_max_live", ({ accountMaxLive }) => accountMaxLive),
  integer("key_max_live", ({ keyMaxLive }) => keyMaxLive),
  double("lease", ({ place }) => (place ? Duration.toMillis(place.lease) : null)),
  uuid("dispatcher_id", ({ place }) => place?.dispatcher ?? null)
]
