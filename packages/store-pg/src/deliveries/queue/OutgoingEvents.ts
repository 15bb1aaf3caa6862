/** Events as they enter the deliveries and the queue: due, or begun by a dispatcher that keeps a place for them. */
import { originSql } from "./Origins.ts"

/**
 * The relation `outgoing`: the events of a relation that are to be stored, and
 * which of them are begun at once. It has of each its execution (`id`,
 * `account_id`), its `callback_url`, what the place says (`begun_until`,
 * `dispatcher_id`, null without one) and the moment `at`. The first parameter
 * of the statement is the bucket.
 */
export const outgoingSql = (options: {
  /** A relation, or a query in brackets. */
  readonly from: string
  readonly bucket: string
  readonly at: string
  /** Whether an earlier event of the execution may be pending. */
  readonly events: "first" | "any"
}): string => {
  const { at, bucket, events, from } = options
  const earlier =
    events === "first"
      ? ""
      : `
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_pending
    FROM webhook_deliveries d
    WHERE n.begun_until IS NOT NULL AND d.bucket = ${bucket} AND d.execution_id = n.id
      AND d.state = 'pending' AND d.round = 1
    LIMIT 1
  ) AS earlier ON TRUE`
  return `
outgoing AS (
  SELECT n.*, n.begun_until IS NOT NULL AND receiver.is_held IS NULL${
    events === "first" ? "" : " AND earlier.is_pending IS NULL"
  } AS is_begun
  FROM ${from} n
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_held
    FROM webhook_receivers r
    WHERE n.begun_until IS NOT NULL AND r.bucket = ${bucket} AND r.account_id = n.account_id
      AND r.origin = ${originSql("n.callback_url")} AND (r.openings > 0 OR r.held_until > n.${at})
    LIMIT 1
  ) AS receiver ON TRUE${earlier}
  WHERE n.event IS NOT NULL
)`
}

/** `attempts, attempted_at, next_attempt_at` of an outgoing event, as a claim would leave them. */
export const begunSql = ({ at }: { readonly at: string }) => ({
  attempts: "CASE WHEN is_begun THEN 1 ELSE 0 END",
  attemptedAt: `CASE WHEN is_begun THEN ${at} END`,
  dueAt: `CASE WHEN is_begun THEN begun_until ELSE ${at} END`
})

/** Puts outgoing events into the queue: their columns are `account_id, event_id, callback_url` and those of their places. */
export const queuesSql = ({ at, bucket }: { readonly at: string; readonly bucket: string }): string => `
  INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id, dispatcher_id)
  SELECT ${bucket}, account_id, ${originSql("callback_url")}, is_begun, ${begunSql({ at }).dueAt}, event_id,
    CASE WHEN is_begun THEN dispatcher_id END
  FROM outgoing`
