/**
 * Rows of deliveries. The body of an execution's event is not stored: it is rendered from facts that never change,
 * the same bytes each time (`docs/adr/0006-event-bodies-are-rendered-from-facts-that-never-change.md`).
 */
import type { DeliveryCause } from "@runhook/core/deliveries/steps/AttemptCause"
import { Delivery, DeliverySummary } from "@runhook/core/deliveries/Delivery"
import { ExecutionEventType } from "@runhook/core/deliveries/WebhookEventType"
import { renderExecutionEvent } from "@runhook/core/deliveries/WebhookPayload"
import { Execution } from "@runhook/core/executions/Execution"
import * as Schema from "effect/Schema"
import { inBucket } from "../sql/Parameters.ts"
import { fixed, type InBucket } from "../sql/Statement.ts"
import { both, eitherBy, type RowTable, columnsOf, rowTable } from "../rows/RowTable.ts"

/** The cause of a delivery that expired without an attempt. */
export const expired: DeliveryCause = "expired"

/** Columns of a delivery `d`. Without a reference of its own, an execution has its id as reference. */
export const ofDelivery = columnsOf(DeliverySummary, "d.", {
  reference: "coalesce(d.reference, d.execution_id::text)"
})

/** A delivery `d` without its body. */
export const summaryTable = rowTable(ofDelivery, DeliverySummary)

/** What `deliveryJoins` joins to a row `d` that names an execution. */
export const factColumns = {
  traceparent: "r.traceparent",
  agentId: "r.agent_id",
  taskId: "r.task_id",
  taskVersionId: "r.task_version_id",
  metadata: "r.metadata::text",
  result: "x.result::text",
  errorMessage: "e.error_message",
  executionCreatedAt: "r.created_at"
}

/** Columns of a delivery `d` and what is joined to it. */
const columns = {
  ...ofDelivery,
  ...factColumns,
  body: "d.body",
  status: "d.execution_status",
  startedAt: "d.execution_started_at",
  stoppedAt: "d.execution_stopped_at"
}

const { traceparent } = Delivery.fields

/** What an event shows of its execution that no change of it alters. */
export const ExecutionFacts = Schema.Struct({
  traceparent,
  agentId: Execution.fields.agentId,
  taskId: Execution.fields.taskId,
  taskVersionId: Execution.fields.taskVersionId,
  metadata: Execution.fields.metadata,
  result: Execution.fields.result,
  errorMessage: Execution.fields.errorMessage,
  executionCreatedAt: Execution.fields.createdAt
})

/** A stored body, such as that of a test. */
const GivenBody = Schema.Struct({ body: Schema.String, traceparent })

/** An execution's event, with the execution as it was after the change. */
const EventFacts = Schema.Struct({
  ...ExecutionFacts.fields,
  type: ExecutionEventType,
  executionId: Execution.fields.id,
  reference: Schema.String,
  status: Execution.fields.status,
  startedAt: Execution.fields.startedAt,
  stoppedAt: Execution.fields.stoppedAt
})

/** Joins what the body of an event is rendered from to a row `d` that names its execution, such as a delivery. */
export const deliveryJoins = fixed<InBucket>`
  LEFT JOIN LATERAL (
    SELECT * FROM execution_requests r WHERE r.bucket = ${inBucket} AND r.id = d.execution_id LIMIT 1
  ) AS r ON TRUE
  LEFT JOIN LATERAL (
    SELECT e.error_message FROM executions e WHERE e.bucket = ${inBucket} AND e.id = d.execution_id LIMIT 1
  ) AS e ON TRUE
  LEFT JOIN LATERAL (
    SELECT x.result FROM execution_results x
    WHERE x.bucket = ${inBucket} AND x.execution_id = d.execution_id
    LIMIT 1
  ) AS x ON TRUE`

type Told = typeof GivenBody.Type | typeof EventFacts.Type

/** A delivery `d`, with `deliveryJoins`. */
export const deliveryTable: RowTable<Delivery> = both(
  rowTable(columns, DeliverySummary),
  eitherBy<Told>("body", { ifNull: rowTable(columns, EventFacts), ifGiven: rowTable(columns, GivenBody) }),
  (summary, told) => ({
    ...summary,
    body: "body" in told ? told.body : bodyOf(summary, told),
    traceparent: told.traceparent
  })
)

const bodyOf = (delivery: DeliverySummary, { executionId, ...facts }: typeof EventFacts.Type): string =>
  renderExecutionEvent({
    id: delivery.id,
    type: facts.type,
    occurredAt: delivery.createdAt,
    execution: {
      ...facts,
      id: executionId,
      accountId: delivery.accountId,
      requestId: delivery.requestId,
      createdAt: facts.executionCreatedAt,
      updatedAt: delivery.createdAt
    }
  })
