/** The statement in which a session claims runs. */
import { itemBytes, pageBytesMax } from "@runhook/core/domain/Page"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Clock } from "../../clock/StoreClock.ts"
import { fixedTimeSql } from "../../clock/FixedTimeSql.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { beside, rowTable } from "../../rows/RowTable.ts"
import { type Insert, insertingLater, withChange } from "../../sql/Inserts.ts"
import { requestOf } from "../../sql/Lookups.ts"
import { inBucket, integer, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import { type InBucket, statement, fixed } from "../../sql/Statement.ts"
import { claimTable, type StoredClaim } from "../ClaimRow.ts"
import { dueRuns, promoted, promoteDue, served, sessionId, type WorkRequest } from "./DueRuns.ts"

/** The request, task and version of an execution `e`. Tasks and versions are never removed. */
export const taskOf = fixed<InBucket>`
  ${requestOf("e")}
  JOIN tasks t ON t.bucket = ${inBucket} AND t.account_id = r.account_id AND t.id = r.task_id
  JOIN task_versions v
    ON v.bucket = ${inBucket} AND v.account_id = r.account_id AND v.id = r.task_version_id`

/** What a run counts in a claim, of its request `r` and its execution `e`. */
const runBytes = `
  ${itemBytes} + r.bytes + octet_length(e.inputs::text)`

export interface ClaimRequest extends WorkRequest {
  readonly claimId: string
  readonly limit: number
  readonly bytesMax?: number
  readonly startDeadline: Duration.Duration
}

export const claimId = text((asked: ClaimRequest) => asked.claimId)
const limit = integer((asked: ClaimRequest) => asked.limit)
const bytesMax = integer((asked: ClaimRequest) => asked.bytesMax ?? pageBytesMax)

/** One event each for the history. */
const happened: Insert<ClaimRequest> = {
  as: "happened",
  into: "execution_events",
  row: {
    execution_id: "id",
    number: "revision",
    status: "status",
    epoch: "epoch",
    at: "updated_at",
    type: "'claimed'",
    attempt: "attempt"
  }
}

const ofClaim: Columns<readonly [StoredClaim, unknown]> = {
  id: uuid(([{ stored }]) => stored.run.execution.id),
  revision: integer(([{ stored }]) => stored.run.revision),
  status: text(([{ stored }]) => stored.run.execution.status),
  epoch: integer(([{ stored }]) => stored.run.execution.epoch),
  updated_at: timestamptz(([{ stored }]) => stored.run.execution.updatedAt),
  attempt: integer(([{ stored }]) => stored.run.execution.attempt)
}

/** Of each, where more is done behind the statement: whether it is claimed just now, and whether more was due than was taken. */
const LaterRow = Schema.Struct({ isNew: Schema.Boolean, isMoreDue: Schema.Boolean })

const claimedTable = beside(
  claimTable,
  rowTable(
    {
      isNew: "e.id IN (SELECT id FROM claimed)",
      isMoreDue: "EXISTS (SELECT FROM due WHERE execution_id NOT IN (SELECT execution_id FROM chosen))"
    },
    LaterRow
  )
)

/**
 * Claims up to `limit` due runs for a session, and leases them until the start
 * deadline.
 *
 * - **Answers** rows of `claimTable`, the highest priority first. A claim id that
 *   has living leases already gets those again, and nothing new: a repeated
 *   request takes no more work.
 * - **Locks** free slots of agents first, then runs, both with SKIP LOCKED: of
 *   two claims at once, the second passes by what the first has locked, and
 *   neither waits. A run is locked before its row in a queue is removed, as in
 *   every statement that changes the queues.
 * - **May be missing**: runs that others have locked at this moment, runs beyond
 *   `bytesMax`, and deferred runs of one agent beyond `dueMax`. The next claim
 *   finds them.
 */
const claimRuns = (clock: Clock, isDistributed: boolean) => {
  const { after, now } = fixedTimeSql(clock)
  const startDeadlineEnd = after(({ startDeadline }: ClaimRequest) => startDeadline)
  const { due, isDue, leftDelayed, noPlace } = dueRuns(clock, isDistributed)
  return statement(fixed<ClaimRequest>`
    WITH ${served},
    -- The runs that this claim id has leased before. When there are any, nothing else is claimed.
    repeated AS (
      SELECT e.*
      FROM served
      CROSS JOIN LATERAL (
        SELECT s.execution_id
        FROM agent_slots s
        WHERE s.bucket = ${inBucket} AND s.agent_id = served.id AND s.session_id = ${sessionId}
        OFFSET 0
      ) AS s
      CROSS JOIN LATERAL (
        SELECT *
        FROM executions e
        WHERE e.bucket = ${inBucket} AND e.id = s.execution_id AND e.session_id = ${sessionId}
          AND e.claim_id = ${claimId} AND e.lease_expires_at > ${now}
        LIMIT 1
      ) AS e
    ),
    -- Of these agents, those with work that is due. The others are left alone, so that a claim that finds nothing locks nothing.
    busy AS (
      SELECT served.id
      FROM served
      WHERE NOT EXISTS (SELECT FROM repeated)
        AND (
          EXISTS (
            SELECT FROM ready_queue q WHERE q.bucket = ${inBucket} AND q.agent_id = served.id OFFSET 0
          )
          OR EXISTS (
            SELECT FROM delayed_queue q
            WHERE q.bucket = ${inBucket} AND q.agent_id = served.id AND q.due_at <= ${now}
            OFFSET 0
          )
        )
    ),
    -- Free slots, locked, as many as the claim may take of each agent, and numbered: the nth place is for the nth run.
    places AS (
      SELECT busy.id AS agent_id, free.slot, row_number() OVER (PARTITION BY busy.id ORDER BY free.slot) AS turn
      FROM busy
      CROSS JOIN LATERAL (
        SELECT s.slot
        FROM agent_slots s
        WHERE s.bucket = ${inBucket} AND s.agent_id = busy.id
          AND s.execution_id IS NULL AND NOT s.is_surplus
        ORDER BY s.slot
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      ) AS free
    ),
    -- How many runs each agent has room for.
    rooms AS (
      SELECT agent_id, count(*) AS free FROM places GROUP BY agent_id
    ),
    -- Runs that are ready, in the order of the queue, locked. A change of a run in the queues locks the run first.
    ready AS (
      SELECT rooms.agent_id, first.*, ${noPlace} AS place, FALSE AS was_delayed
      FROM rooms
      CROSS JOIN LATERAL (
        SELECT q.rank, q.due_at, q.execution_id
        FROM ready_queue q
        CROSS JOIN LATERAL (
          SELECT e.id FROM executions e
          WHERE e.bucket = ${inBucket} AND e.id = q.execution_id AND ${isDue}
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS e
        WHERE q.bucket = ${inBucket} AND q.agent_id = rooms.agent_id
        ORDER BY q.rank, q.due_at, q.execution_id
        LIMIT rooms.free
      ) AS first
    ),
    -- Deferred runs that have become due.
    ${due},
    -- Both together, in the order in which each agent takes them.
    ranked AS (
      SELECT w.*,
        row_number() OVER (PARTITION BY w.agent_id ORDER BY w.rank, w.due_at, w.execution_id) AS turn
      FROM (SELECT * FROM ready UNION ALL SELECT * FROM due) AS w
    ),
    -- Each with the slot of its number, and of all agents no more than the claim may take.
    candidates AS (
      SELECT ranked.*, places.slot
      FROM ranked
      JOIN places ON places.agent_id = ranked.agent_id AND places.turn = ranked.turn
      WHERE ranked.turn <= ${limit}
      ORDER BY ranked.rank, ranked.due_at, ranked.execution_id
      LIMIT ${limit}
    ),
    -- How many bytes each counts in the answer, and all before it with it.
    weighed AS (
      SELECT c.*, r.bytes,
        sum(r.bytes) OVER (
          ORDER BY c.rank, c.due_at, c.execution_id ROWS UNBOUNDED PRECEDING
        ) AS so_far
      FROM candidates c
      CROSS JOIN LATERAL (
        SELECT ${runBytes} AS bytes
        FROM execution_requests r, executions e
        WHERE r.bucket = ${inBucket} AND r.id = c.execution_id
          AND e.bucket = ${inBucket} AND e.id = c.execution_id
        LIMIT 1
      ) AS r
    ),
    -- As many as fit; the first one always, however large it is.
    chosen AS (
      SELECT * FROM weighed WHERE so_far <= ${bytesMax} OR so_far = bytes
    ),
    -- What was chosen leaves the queue of ready runs. By arrays as well as by the join, here and below: else a plan that was
    -- made while little waited holds each run against all that waits, all runs of a bucket, or all of its slots.
    left_ready AS (
      DELETE FROM ready_queue q
      USING chosen c
      WHERE NOT c.was_delayed AND q.bucket = ${inBucket}
        AND q.agent_id = ANY (ARRAY (SELECT DISTINCT agent_id FROM chosen))
        AND q.rank = ANY (ARRAY (SELECT DISTINCT rank FROM chosen))
        AND q.due_at = ANY (ARRAY (SELECT DISTINCT due_at FROM chosen)) AND q.agent_id = c.agent_id
        AND q.rank = c.rank AND q.due_at = c.due_at AND q.execution_id = c.execution_id
      RETURNING q.execution_id
    ),
    -- All that is due leaves the queue of deferred runs, chosen or not.
    ${leftDelayed(isDistributed ? "due.execution_id IN (SELECT execution_id FROM chosen)" : undefined)},
    -- What was chosen and was still in a queue. A run that was taken and queued again meanwhile has its row out of sight of
    -- this statement: it stays where it is.
    found AS (
      SELECT *
      FROM chosen
      WHERE execution_id IN (SELECT execution_id FROM left_ready UNION ALL SELECT execution_id FROM left_delayed)
    ),
    -- The slots are taken.
    taken AS (
      UPDATE agent_slots s
      SET execution_id = f.execution_id, session_id = ${sessionId}
      FROM found f
      WHERE s.bucket = ${inBucket} AND s.agent_id = ANY (ARRAY (SELECT DISTINCT agent_id FROM found))
        AND s.slot = ANY (ARRAY (SELECT DISTINCT slot FROM found))
        AND s.agent_id = f.agent_id AND s.slot = f.slot
    ),
    -- The runs get their leases; a new epoch fences off their earlier runners.
    claimed AS (
      UPDATE executions e
      SET revision = e.revision + 1, updated_at = greatest(${now}, e.updated_at), epoch = e.epoch + 1,
        attempt_epoch = e.epoch + 1, slot = f.slot, session_id = ${sessionId}, claim_id = ${claimId},
        lease_expires_at = ${startDeadlineEnd}
      FROM found f
      WHERE e.bucket = ${inBucket} AND e.id = ANY (ARRAY (SELECT execution_id FROM found)) AND e.id = f.execution_id
      RETURNING e.*
    )${
      isDistributed
        ? ""
        : fixed<ClaimRequest>`,
    ${withChange(promoted, "claimed")},
    ${withChange(happened, "claimed")}`
    }
    SELECT ${(isDistributed ? claimedTable : claimTable).columns}
    FROM (SELECT * FROM claimed UNION ALL SELECT * FROM repeated) AS e
    ${taskOf}
    ORDER BY r.priority DESC, e.due_at, e.id`)
}

const claimRows = rowsOf(claimTable)
const claimedRows = rowsOf(claimedTable)

/** Stores claims: in one statement; or, where rows lie on several nodes, in a transaction of one that changes and those that insert. */
export const makeClaim = (sql: SqlClient, clock: Clock, isDistributed: boolean) => {
  const claim = claimRuns(clock, isDistributed)
  if (!isDistributed) return (batch: ClaimRequest) => claimRows(claim(sql, batch))
  const promote = promoteDue(clock)
  return (batch: ClaimRequest) =>
    insertingLater(sql, claimedRows(claim(sql, batch)), {
      batch,
      columns: ofClaim,
      parts: [{ inserts: happened, isOf: () => true }],
      stored: (rows) => rows.filter(([, { isNew }]) => isNew)
    }).pipe(
      Effect.tap((rows) => (rows.some(([, { isMoreDue }]) => isMoreDue) ? promote(sql, batch) : Effect.void)),
      Effect.map((rows) => rows.map(([claimed]) => claimed)),
      sql.withTransaction
    )
}
