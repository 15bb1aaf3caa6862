/** New events as they are stored: due in the queue, or leased at once by a dispatcher that has reserved a place for them. */
import { destinationOf } from "@runhook/core/domain/delivery/Delivery"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import type { Place } from "@runhook/core/runtime/DeliveryInlets"
import * as DateTime from "effect/DateTime"
import { boolean, inBucket, integer, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import { type Fixed, fixed, type InBucket } from "../../sql/Statement.ts"
import { originSql } from "./Origins.ts"

/**
 * The relation `outgoing`: the events of a relation that are to be stored, which
 * of them are begun at once, and what they are then (`begunColumns`). It has of each its execution (`id`,
 * `account_id`), its `origin`, what the place says (`begun_until`,
 * `dispatcher_id`, null without one) and the moment `at`.
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
      AND d.endpoint_id IS NULL AND d.state = 'pending' AND d.round = 1
  ) AS earlier ON TRUE`
  return fixed<InBucket>`
-- Events that begin at once: those with a reserved place, unless the receiver is held or an earlier event of the
-- execution is pending elsewhere. Behind an earlier event of the same dispatcher they may begin.
outgoing AS (
  SELECT *, CASE WHEN is_begun THEN 1 ELSE 0 END AS attempts, CASE WHEN is_begun THEN ${at} END AS attempted_at,
    CASE WHEN is_begun THEN begun_until ELSE ${at} END AS next_attempt_at,
    CASE WHEN is_begun THEN dispatcher_id END AS leased_by
  FROM (
  SELECT n.*, n.begun_until IS NOT NULL AND receiver.is_held IS NULL${
    events === "first" ? "" : " AND earlier.is_others IS NOT TRUE"
  } AS is_begun${events === "first" ? "" : ", earlier.behind"}
  FROM ${from} n
  LEFT JOIN LATERAL (
    SELECT TRUE AS is_held
    FROM webhook_receivers r
    WHERE n.begun_until IS NOT NULL AND r.bucket = ${inBucket} AND r.account_id = n.account_id
      AND r.origin = n.origin AND (r.openings > 0 OR r.held_until > n.${at})
    LIMIT 1
  ) AS receiver ON TRUE${earlier}
  WHERE n.event IS NOT NULL
  ) AS n
)`
}

interface Outgoing {
  readonly at: DateTime.Utc
  readonly place?: Place | undefined
  readonly isBegun: boolean
}

/** An outgoing event as a claim would leave it, if it is begun, or else as one that waits: of what is known before it is stored. */
export const begunColumns = <Step>(of: (step: Step) => Outgoing): Columns<Step> => {
  const placeOf = (step: Step): Place | undefined => {
    const { isBegun, place } = of(step)
    return isBegun ? place : undefined
  }
  return {
    is_begun: boolean((step) => placeOf(step) !== undefined),
    attempts: integer((step) => (placeOf(step) ? 1 : 0)),
    attempted_at: timestamptz((step) => (placeOf(step) ? of(step).at : null)),
    next_attempt_at: timestamptz((step) => DateTime.addDuration(of(step).at, placeOf(step)?.lease ?? 0)),
    leased_by: uuid((step) => placeOf(step)?.dispatcher ?? null)
  }
}

/** Where the event of an execution goes, and how its delivery is called. */
export const destinationColumns = <Step>(of: (step: Step) => Execution): Columns<Step> => ({
  origin: text((step) => {
    const { callbackUrl } = of(step)
    return callbackUrl === null ? null : destinationOf(callbackUrl)
  }),
  // One that is the id is not stored again.
  told_reference: text((step) => {
    const { id, reference } = of(step)
    return reference === id ? null : reference
  })
})

/** The rows of outgoing events in the queue. */
export const outgoingQueue = {
  account_id: "account_id",
  origin: "origin",
  is_retry: "is_begun",
  due_at: "next_attempt_at",
  delivery_id: "event_id",
  dispatcher_id: "leased_by"
}
