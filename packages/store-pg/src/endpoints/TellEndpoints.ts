/** Stores events for endpoints, in the transaction of the changes that they announce. All wait in the queue. */
import { deliveryLifetime, destinationOf } from "@runhook/core/domain/delivery/Delivery"
import type { EndpointEvent } from "@runhook/core/domain/endpoint/EndpointEvent"
import type { Change } from "@runhook/core/domain/run/Run"
import * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"
import { inBucket, integer, text, uuid } from "../sql/Parameters.ts"
import { fixedRows } from "../sql/Rows.ts"
import { fixed, type InBucket, statement } from "../sql/Statement.ts"

/** A change that was just stored, with what is told of it. */
export interface Told {
  readonly change: Change
  readonly told: ReadonlyArray<EndpointEvent>
}

interface Row extends EndpointEvent {
  readonly change: Change
}

interface Batch extends InBucket {
  readonly rows: ReadonlyArray<Row>
}

const asked = fixedRows("f", ({ rows }: Batch) => rows, {
  account_id: uuid(({ change }: Row) => change.run.execution.accountId),
  execution_id: uuid(({ change }) => change.run.execution.id),
  revision: integer(({ change }) => change.run.revision),
  id: uuid(({ id }) => id),
  endpoint_id: uuid(({ endpointId }) => endpointId),
  api_key_id: uuid(({ apiKeyId }) => apiKeyId),
  type: text(({ change }) => change.announced),
  url: text(({ url }) => url),
  origin: text(({ url }) => destinationOf(url))
})

/** The facts of an event are those of its execution at this moment: the transaction has just stored them. */
const store = statement(fixed<Batch>`
INSERT INTO webhook_deliveries (
  bucket, account_id, id, api_key_id, endpoint_id, execution_id, revision, type, url, request_id, reference,
  execution_status, execution_started_at, execution_stopped_at, state, attempts, round, next_attempt_at, expires_at,
  created_at
)
SELECT e.bucket, e.account_id, f.id, f.api_key_id, f.endpoint_id, e.id, f.revision, f.type, f.url, r.request_id,
  CASE WHEN r.reference <> e.id::text THEN r.reference END, e.status, e.started_at, e.stopped_at, 'pending', 0, 1,
  e.updated_at, e.updated_at + ${Duration.toMillis(deliveryLifetime)} * interval '1 millisecond', e.updated_at
FROM ${asked}
CROSS JOIN LATERAL (
  SELECT * FROM executions e WHERE e.bucket = ${inBucket} AND e.id = f.execution_id LIMIT 1
) AS e
CROSS JOIN LATERAL (
  SELECT * FROM execution_requests r WHERE r.bucket = ${inBucket} AND r.id = f.execution_id LIMIT 1
) AS r`)

const queue = statement(fixed<Batch>`
INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
SELECT d.bucket, d.account_id, f.origin, FALSE, d.next_attempt_at, d.id
FROM ${asked}
CROSS JOIN LATERAL (
  SELECT * FROM webhook_deliveries d
  WHERE d.bucket = ${inBucket} AND d.account_id = f.account_id AND d.id = f.id
  LIMIT 1
) AS d`)

/** The statements that tell endpoints of stored changes; none if there is nothing to tell. */
export const tellingStatements = (
  sql: SqlClient,
  bucket: number,
  changes: ReadonlyArray<Told>
): ReadonlyArray<Statement<object>> => {
  const rows = changes.flatMap(({ change, told }) => told.map((telling) => ({ ...telling, change })))
  return rows.length === 0 ? [] : [store(sql, { bucket, rows }), queue(sql, { bucket, rows })]
}
