/** What is written of executions that are created, each into one table. */
import { deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import * as Duration from "effect/Duration"
import { begunSql, queuesOutgoing } from "../../deliveries/queue/OutgoingEvents.ts"
import { inBucket } from "../../sql/Parameters.ts"
import { type Fixed, fixed, type InBucket, type Part } from "../../sql/Statement.ts"
import { type Asked, requestColumns } from "./Creation.ts"

/** Something to insert, and of which executions there is that. */
export interface Insert<in Batch> {
  readonly isOf: (asked: Asked) => boolean
  readonly text: Fixed<Batch>
}

const begun = begunSql("now_at")

const all = () => true

const requested = Object.keys(requestColumns)
const json = new Set(["metadata", "params", "retry_backoff"])

/** JSON comes as text. */
const asStored = (column: string): string => (json.has(column) ? `${column}::json` : column)

/** Where the inserts find what they write, as items of a FROM. */
export interface Sources<in Batch> {
  /** What is made, with when it is due, at its `now_at`. */
  readonly made: Part<Batch>
  /** What was made and nobody has got. */
  readonly left: Part<Batch>
  /** Those with an event, and which of these are begun. */
  readonly outgoing: Part<Batch>
}

/** By their names, in the order in which they lock. */
export const inserts = <Batch extends InBucket>({ left, made, outgoing }: Sources<Batch>) =>
  ({
    // What never changes about it,
    requested: {
      isOf: all,
      text: fixed<Batch>`
  INSERT INTO execution_requests (bucket, ${requested.join(", ")}, bytes, idempotency_key)
  SELECT ${inBucket}, ${requested.map(asStored).join(", ")}, octet_length(metadata) + octet_length(params),
    idempotency_key
  FROM ${made}`
    },
    // what happens to it,
    stored: {
      isOf: all,
      text: fixed<Batch>`
  INSERT INTO executions (
    bucket, account_id, id, agent_id, api_key_id, priority, status, updated_at, due_at, start_by
  )
  SELECT ${inBucket}, account_id, id, agent_id, api_key_id, priority, status, created_at, due_at,
    expires_at
  FROM ${left}`
    },
    // where it is listed,
    listed: {
      isOf: all,
      text: fixed<Batch>`
  INSERT INTO execution_status (bucket, account_id, execution_id, agent_id, task_id, status)
  SELECT ${inBucket}, account_id, id, agent_id, task_id, status FROM ${made}`
    },
    // and its first event. That of an execution that is queued at once is not stored: its request says as much.
    happened: {
      isOf: ({ execution }) => execution.status !== "queued",
      text: fixed<Batch>`
  INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
  SELECT ${inBucket}, id, 1, status, 0, created_at, 'created', 0
  FROM ${made}
  WHERE status <> 'queued'`
    },
    // It is in a queue: that of ready runs if it is due,
    ready: {
      isOf: ({ execution }) => execution.status === "queued",
      text: fixed<Batch>`
  INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
  SELECT ${inBucket}, agent_id, -priority, due_at, id
  FROM ${left}
  WHERE status = 'queued' AND due_at <= now_at`
    },
    // that of deferred runs if not.
    delayed: {
      isOf: ({ execution }) => execution.status === "queued" && execution.scheduledAt !== null,
      text: fixed<Batch>`
  INSERT INTO delayed_queue (bucket, agent_id, rank, due_at, execution_id)
  SELECT ${inBucket}, agent_id, -priority, due_at, id
  FROM ${made}
  WHERE status = 'queued' AND due_at > now_at`
    },
    // The callbacks: as deliveries,
    told: {
      isOf: ({ change }) => change.event !== null,
      text: fixed<Batch>`
  INSERT INTO webhook_deliveries (
    bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference, execution_status,
    state, attempts, attempted_at, round, next_attempt_at, expires_at, created_at
  )
  SELECT ${inBucket}, account_id, event_id, api_key_id, id, 1, event, callback_url, request_id,
    nullif(reference, id::text), status, 'pending', ${begun.attempts}, ${begun.attemptedAt}, 1,
    ${begun.dueAt},
    now_at + ${Duration.toMillis(deliveryLifetime)} * interval '1 millisecond', created_at
  FROM ${outgoing}`
    },
    // and in the queue, or with the dispatcher that has kept a place.
    telling: { isOf: ({ change }) => change.event !== null, text: queuesOutgoing<Batch>("now_at", outgoing) }
  }) satisfies { readonly [name: string]: Insert<Batch> }

/**
 * The idempotency keys of what a relation has. A key whose time is over is used
 * anew. Always in one order: two statements with the same keys would otherwise
 * wait for each other.
 */
export const keyInsert = <Batch extends InBucket>(options: {
  readonly from: Part<Batch>
  readonly where: string
  /** What becomes of a key that another transaction uses at this moment: as `WHERE` or in place of its new execution. */
  readonly ifUsed: "left alone" | "an error"
}): Fixed<Batch> => {
  const isOver = "k.expires_at <= excluded.created_at"
  const [execution, only] =
    options.ifUsed === "left alone"
      ? ["excluded.execution_id", `WHERE ${isOver}`]
      : [
          `CASE WHEN ${isOver} THEN excluded.execution_id ELSE (excluded.execution_id::text || ' known')::uuid END`,
          ""
        ]
  return fixed<Batch>`
  INSERT INTO idempotency_keys AS k (
    bucket, api_key_id, key, fingerprint, execution_id, created_at, expires_at
  )
  SELECT ${inBucket}, api_key_id, idempotency_key, fingerprint, id, now_at,
    now_at + key_lifetime * interval '1 millisecond'
  FROM ${options.from}
  WHERE ${options.where}idempotency_key IS NOT NULL
  ORDER BY api_key_id, idempotency_key COLLATE "C"
  ON CONFLICT (bucket, api_key_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, execution_id = ${execution},
      created_at = excluded.created_at, expires_at = excluded.expires_at
    ${only}`
}
