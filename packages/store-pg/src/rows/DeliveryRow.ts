/**
 * Deliveries as their rows hold them. The body of an execution's event is not
 * stored: it is rendered from facts that never change, the same bytes each
 * time. `docs/adr/0006-event-bodies-are-rendered-from-facts.md` says why.
 */
import { type Delivery, Delivery as DeliverySchema } from "@runhook/core/domain/Delivery"
import { Execution } from "@runhook/core/domain/Execution"
import { ExecutionEventType } from "@runhook/core/domain/WebhookEventType"
import { renderExecutionEvent } from "@runhook/core/domain/WebhookPayload"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

const facts = Struct.omit(DeliverySchema.fields, ["body", "type"])

/** A delivery whose body was given, as a test's is. */
const GivenRow = Schema.Struct({ ...facts, type: DeliverySchema.fields.type, body: Schema.String })

/** A delivery of an execution's event, with the execution as it was after the change. */
const EventRow = Schema.Struct({
  ...facts,
  type: ExecutionEventType,
  body: Schema.Null,
  executionId: Execution.fields.id,
  reference: Schema.String,
  agentId: Execution.fields.agentId,
  taskId: Execution.fields.taskId,
  taskVersionId: Execution.fields.taskVersionId,
  metadata: Execution.fields.metadata,
  status: Execution.fields.status,
  result: Execution.fields.result,
  errorMessage: Execution.fields.errorMessage,
  startedAt: Execution.fields.startedAt,
  stoppedAt: Execution.fields.stoppedAt,
  executionCreatedAt: Execution.fields.createdAt
})

export const DeliveryRow = Schema.Union([GivenRow, EventRow])

/** The columns of a `DeliverySummary`, of a delivery `d`. */
export const summaryColumns = `
  d.id, d.account_id AS "accountId", d.api_key_id AS "apiKeyId", d.execution_id AS "executionId", d.revision,
  d.type, d.url, d.request_id AS "requestId", d.reference, d.state, d.attempts,
  d.attempted_at AS "attemptedAt", d.round, d.replay_id AS "replayId", d.next_attempt_at AS "nextAttemptAt", d.expires_at AS "expiresAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError",
  -- A process of the version before clears or changes the error alone.
  CASE WHEN d.last_error IS NOT NULL THEN d.last_cause END AS "lastCause", d.created_at AS "createdAt",
  d.settled_at AS "settledAt"`

/** The columns of a `DeliveryRow`, of a delivery `d` and what `deliveryJoins` joins to it. */
export const deliveryColumns = `
  ${summaryColumns}, d.body,
  r.agent_id AS "agentId", r.task_id AS "taskId", r.task_version_id AS "taskVersionId", r.metadata,
  d.execution_status AS status, x.result, e.error_message AS "errorMessage",
  d.execution_started_at AS "startedAt", d.execution_stopped_at AS "stoppedAt",
  r.created_at AS "executionCreatedAt"`

/** What the body of a delivery `d` is rendered from beside its own row. */
export const deliveryJoins = `
  LEFT JOIN LATERAL (
    SELECT * FROM execution_requests r WHERE r.bucket = d.bucket AND r.id = d.execution_id LIMIT 1
  ) AS r ON TRUE
  LEFT JOIN LATERAL (
    SELECT e.error_message FROM executions e WHERE e.bucket = d.bucket AND e.id = d.execution_id LIMIT 1
  ) AS e ON TRUE
  LEFT JOIN LATERAL (
    SELECT x.result FROM execution_results x
    WHERE x.bucket = d.bucket AND x.execution_id = d.execution_id
    LIMIT 1
  ) AS x ON TRUE`

export const deliveryOf = (row: typeof DeliveryRow.Type): Delivery => {
  const { id, accountId, apiKeyId, executionId, revision, type, url, requestId, reference, state } = row
  const {
    attempts,
    attemptedAt,
    round,
    replayId,
    nextAttemptAt,
    expiresAt,
    lastStatus,
    lastError,
    lastCause,
    createdAt,
    settledAt
  } = row
  return {
    id,
    accountId,
    apiKeyId,
    executionId,
    revision,
    type,
    url,
    requestId,
    reference,
    body: bodyOf(row),
    state,
    attempts,
    attemptedAt,
    round,
    replayId,
    nextAttemptAt,
    expiresAt,
    lastStatus,
    lastError,
    lastCause,
    createdAt,
    settledAt
  }
}

const bodyOf = (row: typeof DeliveryRow.Type): string =>
  row.body === null
    ? renderExecutionEvent({
        id: row.id,
        type: row.type,
        occurredAt: row.createdAt,
        execution: {
          ...row,
          id: row.executionId,
          createdAt: row.executionCreatedAt,
          updatedAt: row.createdAt
        }
      })
    : row.body
