/** Stores new events: due in the queue, or leased at once by a dispatcher that has reserved a place for them. */
import { inBucket } from "../../sql/Parameters.ts"
import { type Fixed, fixed, type InBucket, type Part } from "../../sql/Statement.ts"
import { originSql } from "./Origins.ts"

/**
 * The relation `outgoing`: the events of a relation to be stored, and which of them begin at once. It has the
 * execution (`id`, `account_id`), the `callback_url`, the place (`begun_until`, `dispatcher_id`, null without one)
 * and the moment `at` of each.
 */
export const outgoing = (options: {
  /** A relation, or a query in brackets. */
  readonly from: string
  readonly at: string
  /** Whether an earlier event of the execution may be pending. */
  readonly events: "first" | "any"
}): Fixed<InBucket> => {
  const { at, events, from } = options
  const earlier =
    events === "first"
      ? fixed``
      : fixed<InBucket>`
  LEFT JOIN LATERAL (
    SELECT (array_agg(d.id ORDER BY d.revision DESC, d.id DESC))[1] AS behind, bool_or(q.is_own IS NULL) AS is_others
    FROM webhook_deliveries d
    LEFT JOIN LATERAL (
      SELECT TRUE AS is_own
      FROM webhook_queue q
      WHERE q.bucket = ${inBucket} AND q.account_id = d.account_id AND q.origin = ${originSql("d.url")} AND q.is_retry
        AND q.due_at = d.next_attempt_at AND q.delivery_id = d.id
        AND q.dispatcher_id = n.dispatcher_id AND q.due_at > n.${at}
      LIMIT 1
    ) AS q ON TRUE
    WHERE n.begun_until IS NOT NULL AND d.bucket = ${inBucket} AND d.execution_id = n.id
      AND d.state = 'pending' AND d.round = 1
  ) AS earlier ON TRUE`
  return fixed<InBucket>`
-- Events that begin at once: those with a reserved place, unless the receiver is held or an earlier event of the
-- execution is pending elsewhere. Behind an earlier event of the same dispatcher they may begin.
outgoing AS (
  SELECT n.*, n.begun_until IS NOT NULL AND receiver.is_held IS NULL${
    events === "first" ? "" : " AND earlier.is_others IS NOT TRUE"
  } AS is_begun${events === "first" ? "" : ", earlier.behind"}
  FROM ${from} n
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_held
    FROM webhook_receivers r
    WHERE n.begun_until IS NOT NULL AND r.bucket = ${inBucket} AND r.account_id = n.account_id
      AND r.origin = ${originSql("n.callback_url")} AND (r.openings > 0 OR r.held_until > n.${at})
    LIMIT 1
  ) AS receiver ON TRUE${earlier}
  WHERE n.event IS NOT NULL
)`
}

/** `attempts, attempted_at, next_attempt_at` of an outgoing event, as a claim would leave them. */
export const begunSql = (at: string) => ({
  attempts: "CASE WHEN is_begun THEN 1 ELSE 0 END",
  attemptedAt: `CASE WHEN is_begun THEN ${at} END`,
  dueAt: `CASE WHEN is_begun THEN begun_until ELSE ${at} END`
})

/** The queue rows of outgoing events: the columns `account_id, event_id, callback_url` and those of their places. */
export const outgoingQueue = (at: string) => ({
  account_id: "account_id",
  origin: originSql("callback_url"),
  is_retry: "is_begun",
  due_at: begunSql(at).dueAt,
  delivery_id: "event_id",
  dispatcher_id: "CASE WHEN is_begun THEN dispatcher_id END"
})

/** Puts outgoing events into the queue. */
export const queuesOutgoing = <Batch extends InBucket>(at: string, from: Part<Batch>): Fixed<Batch> => {
  const row = outgoingQueue(at)
  return fixed<Batch>`
  INSERT INTO webhook_queue (bucket, ${Object.keys(row).join(", ")})
  SELECT ${inBucket}, ${Object.values(row).join(", ")}
  FROM ${from}`
}
