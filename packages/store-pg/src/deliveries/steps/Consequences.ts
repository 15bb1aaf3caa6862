/**
 * What is stored besides the delivery itself: its place in the queue, the lists of dead and failing deliveries,
 * attempts, counts of replays, its receiver. Each follows from the delivery before and after; a statement contains
 * only what its steps need. Rows of the queue are found by arrays of each column of their key: a join would walk the
 * whole queue if it was empty when the plan was made.
 */
import { destinationOf } from "@runhook/core/domain/delivery/Delivery"
import { failingBy } from "@runhook/core/domain/delivery/DeliverySteps"
import type { Insert } from "../../sql/Inserts.ts"
import { boolean, inBucket, integer, json, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import { type Fixed, fixed } from "../../sql/Statement.ts"
import { exchangeText } from "../AttemptRow.ts"
import { type Batch, ofAccount, type StoredStep } from "./Batch.ts"

export interface Consequence {
  readonly isOf: (step: StoredStep) => boolean
  readonly columns?: Columns<StoredStep>
  /** Assignments to `webhook_deliveries` d, from the step `n`. */
  readonly assigns?: string
  /** Runs before the change, on the steps `asked`. */
  readonly before?: Fixed<Batch>
  /** A condition on the change of the step `n`, besides the guard. */
  readonly requires?: string
  /** Runs with the change, on the stored steps, `stored`. */
  readonly with?: Fixed<Batch>
  /** Inserts with the change, or after it. */
  readonly inserts?: Insert<Batch>
}

const ends: Consequence = {
  isOf: ({ after, before, recorded }) => recorded !== undefined || after.settledAt !== before.settledAt,
  columns: {
    last_status: integer(({ after }) => after.lastStatus),
    last_error: text(({ after }) => after.lastError),
    last_cause: text(({ after }) => after.lastCause),
    settled_at: timestamptz(({ after }) => after.settledAt)
  },
  assigns:
    "last_status = n.last_status, last_error = n.last_error, last_cause = n.last_cause, settled_at = n.settled_at"
}

const keepsFirstAttempt: Consequence = {
  isOf: ({ firstAttempt }) => firstAttempt !== null,
  columns: { first_attempt: json(({ firstAttempt }) => firstAttempt) },
  assigns: "first_attempt = coalesce(n.first_attempt, d.first_attempt)"
}

const attemptOf = ({ firstAttempt, recorded }: StoredStep) => (firstAttempt === null ? recorded : undefined)

const recordsAttempt: Consequence = {
  isOf: (step) => attemptOf(step) !== undefined,
  columns: {
    number: integer((step) => attemptOf(step)?.attempt.number ?? null),
    started_at: timestamptz((step) => attemptOf(step)?.attempt.startedAt ?? null),
    duration_ms: integer((step) => attemptOf(step)?.attempt.durationMs ?? null),
    phase: text((step) => attemptOf(step)?.attempt.phase ?? null),
    status: integer((step) => attemptOf(step)?.attempt.status ?? null),
    error: text((step) => attemptOf(step)?.attempt.error ?? null),
    cause: text((step) => attemptOf(step)?.attempt.cause ?? null),
    remote_address: text((step) => attemptOf(step)?.attempt.remoteAddress ?? null),
    exchange: json((step) => {
      const recorded = attemptOf(step)
      return recorded === undefined ? null : exchangeText(recorded.attempt, recorded.sent)
    }),
    response_body: text((step) => attemptOf(step)?.attempt.responseBody ?? null),
    is_truncated: boolean((step) => attemptOf(step)?.attempt.isTruncated ?? null)
  },
  // An attempt that delivered at once is kept in the row of its delivery instead.
  inserts: {
    as: "recorded",
    into: "webhook_attempts",
    of: "number IS NOT NULL",
    row: {
      delivery_id: "id",
      round: "round",
      number: "number",
      started_at: "started_at",
      duration_ms: "duration_ms",
      phase: "phase",
      status: "status",
      error: "error",
      cause: "cause",
      remote_address: "remote_address",
      exchange: "exchange",
      response_body: "response_body",
      is_truncated: "is_truncated"
    }
  }
}

const beginsRound: Consequence = {
  isOf: ({ after, before }) => after.round !== before.round,
  columns: {
    round_after: integer(({ after }) => after.round),
    replay_id: uuid(({ after }) => after.replayId),
    expires_at: timestamptz(({ after }) => after.expiresAt)
  },
  assigns: "round = n.round_after, replay_id = n.replay_id, expires_at = n.expires_at"
}

const place = {
  origin: text(({ before }: StoredStep) => destinationOf(before.url)),
  was_retry: boolean(({ before }: StoredStep) => before.attempts > 0)
}

/**
 * The queue rows `q` of the stored steps `n`. By arrays as well as by the join: without the arrays, a plan made for a
 * short queue compares each step with every row. Without the join, PostgreSQL before 17 walks the queue for each
 * step.
 */
const places = (which: string) => fixed<Batch>`
  q.bucket = ${inBucket} AND q.account_id = ${ofAccount}
    AND q.origin = ANY (ARRAY (SELECT DISTINCT origin FROM stored))
    AND q.is_retry = ANY (ARRAY (SELECT DISTINCT was_retry FROM stored))
    AND q.due_at = ANY (ARRAY (SELECT DISTINCT due_before FROM stored WHERE ${which}))
    AND q.delivery_id = ANY (ARRAY (SELECT id FROM stored WHERE ${which}))
    AND q.origin = n.origin AND q.is_retry = n.was_retry AND q.due_at = n.due_before AND q.delivery_id = n.id`

const leavesQueue: Consequence = {
  isOf: ({ after, before }) => before.state === "pending" && after.state !== "pending",
  columns: place,
  with: fixed`
-- Settled deliveries leave the queue,
left_queue AS (DELETE FROM webhook_queue q USING stored n WHERE ${places("due_after IS NULL")})`
}

const movesInQueue: Consequence = {
  isOf: ({ after, before }) => before.state === "pending" && after.state === "pending",
  columns: {
    ...place,
    is_retry: boolean(({ after }) => after.attempts > 0),
    dispatcher_id: uuid(({ dispatcher }) => dispatcher),
    is_tried: boolean(({ isTried }) => isTried)
  },
  with: fixed`
-- and others get another due time, and another dispatcher.
moved AS (
  UPDATE webhook_queue q
  SET due_at = n.due_after, is_retry = n.is_retry, dispatcher_id = n.dispatcher_id, is_tried = n.is_tried
  FROM stored n
  WHERE ${places("due_after IS NOT NULL")}
)`
}

const entersQueue: Consequence = {
  isOf: ({ after, before }) => before.state !== "pending" && after.state === "pending",
  columns: { ...place, is_retry: boolean(({ after }) => after.attempts > 0) },
  inserts: {
    as: "queued",
    into: "webhook_queue",
    of: "due_before IS NULL",
    row: {
      account_id: ofAccount,
      origin: "origin",
      is_retry: "is_retry",
      due_at: "due_after",
      delivery_id: "id"
    }
  }
}

/** Dead deliveries are listed, */
const dies: Consequence = {
  isOf: ({ after, before }) => after.state === "dead" && before.state !== "dead",
  columns: {
    ...place,
    last_cause: text(({ after }) => after.lastCause),
    type: text(({ before }) => before.type)
  },
  inserts: {
    as: "buried",
    into: "webhook_dead",
    of: "state = 'dead'",
    row: { account_id: ofAccount, delivery_id: "id", origin: "origin", cause: "last_cause", type: "type" }
  }
}

const rises: Consequence = {
  isOf: ({ after, before }) => after.state !== "dead" && before.state === "dead",
  with: fixed`
-- and no longer when they have another round.
risen AS (
  DELETE FROM webhook_dead x
  WHERE x.bucket = ${inBucket} AND x.account_id = ${ofAccount}
    AND x.delivery_id = ANY (ARRAY (SELECT id FROM stored WHERE state_before = 'dead'))
)`
}

/** Deliveries to be retried are listed as failing, */
const fails: Consequence = {
  isOf: ({ after, before }) => failingBy(after) !== null && failingBy(after) !== failingBy(before),
  columns: { failing_by: text(({ after }) => failingBy(after)) },
  inserts: {
    as: "failing",
    into: "webhook_failing",
    of: "failing_by IS NOT NULL",
    row: { account_id: ofAccount, delivery_id: "id", cause: "failing_by" },
    onConflict: "ON CONFLICT (bucket, account_id, delivery_id) DO UPDATE SET cause = excluded.cause"
  }
}

const failsNoMore: Consequence = {
  isOf: ({ after, before }) => failingBy(after) === null && failingBy(before) !== null,
  with: fixed`
-- and settled ones are not.
recovered AS (
  DELETE FROM webhook_failing f
  WHERE f.bucket = ${inBucket} AND f.account_id = ${ofAccount}
    AND f.delivery_id = ANY (ARRAY (SELECT id FROM stored WHERE state <> 'pending'))
)`
}

/** Dispatchers that may count for one replay job at once: batches spread by their first delivery. */
const parts = 16

const partOf = ({ steps }: Batch): number => Number.parseInt(steps[0]?.after.id.slice(-4) ?? "0", 16) % parts

const endsReplay = ({ after, before }: StoredStep): boolean =>
  after.replayId !== null && before.state === "pending" && after.state !== "pending"

/** Replay jobs count the deliveries that they started and that were settled. */
const countsOutcome: Consequence = {
  isOf: endsReplay,
  columns: {
    counted_id: uuid((step) => (endsReplay(step) ? step.after.replayId : null)),
    delivered: integer(({ after }) => (after.state === "delivered" ? 1 : 0)),
    failed: integer(({ after }) => (after.state === "dead" ? 1 : 0))
  },
  inserts: {
    as: "counted",
    into: "webhook_replay_outcomes AS o",
    of: "counted_id IS NOT NULL",
    row: {
      account_id: ofAccount,
      replay_id: "counted_id",
      part: smallint(partOf),
      delivered: "delivered",
      failed: "failed"
    },
    summed: ["delivered", "failed"],
    onConflict: `ON CONFLICT (bucket, account_id, replay_id, part) DO UPDATE
  SET delivered = o.delivered + excluded.delivered, failed = o.failed + excluded.failed`
  }
}

const holds = {
  origin: place.origin,
  openings: integer(({ receiver }: StoredStep) => receiver?.before.openings ?? null),
  held_before: timestamptz(({ receiver }: StoredStep) => receiver?.before.heldUntil ?? null),
  held_until: timestamptz(({ receiver }: StoredStep) => receiver?.after.heldUntil ?? null)
}

const holdsReceiver = (of: string) => fixed<Batch>`
  UPDATE webhook_receivers r
  SET held_until = n.held_until
  FROM ${of} n
  WHERE n.openings IS NOT NULL AND r.bucket = ${inBucket} AND r.account_id = ${ofAccount} AND r.origin = n.origin
    AND r.openings = n.openings AND r.held_until IS NOT DISTINCT FROM n.held_before
  RETURNING r.origin`

const isClaimed = ({ after, before }: StoredStep) => after.attempts > before.attempts

const probes: Consequence = {
  isOf: (step) => step.receiver !== undefined && isClaimed(step),
  columns: holds,
  before: fixed`
-- Receivers with an open breaker are held for their probe. Of two concurrent claims, the second finds it held.
probed AS (${holdsReceiver("asked")})`,
  requires: "(n.openings IS NULL OR n.origin IN (SELECT origin FROM probed))"
}

const letsGo: Consequence = {
  isOf: (step) => step.receiver !== undefined && !isClaimed(step),
  columns: holds,
  with: fixed`
-- A receiver that was held for this probe may be probed again.
freed AS (${holdsReceiver("stored")})`
}

export const consequences: ReadonlyArray<Consequence> = [
  probes,
  ends,
  keepsFirstAttempt,
  recordsAttempt,
  beginsRound,
  leavesQueue,
  movesInQueue,
  entersQueue,
  dies,
  rises,
  fails,
  failsNoMore,
  countsOutcome,
  letsGo
]
