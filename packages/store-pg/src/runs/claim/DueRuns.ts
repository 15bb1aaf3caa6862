/**
 * Deferred runs that have become due. A claim takes some of them, and the others
 * are ready from then on: by its own statement, or by one behind it where rows
 * lie on several nodes, since Citus takes apart what changes something and
 * inserts.
 */
import { AgentId, ExecutionId } from "@runhook/core/domain/Ids"
import type { RunnerSession } from "@runhook/core/domain/run/RunnerSession"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Clock } from "../../clock/StoreClock.ts"
import { fixedTimeSql } from "../../clock/FixedTimeSql.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { columnsOf, rowTable } from "../../rows/RowTable.ts"
import { type Insert, insertingLater } from "../../sql/Inserts.ts"
import { inBucket, integer, timestamptz, uuid, uuids } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import { fixed, type InBucket, statement } from "../../sql/Statement.ts"

/** A look of a session at the work of its agents. */
export interface WorkRequest extends InBucket {
  readonly session: RunnerSession
  readonly at: DateTime.Utc
}

export const accountId = uuid(({ session }: WorkRequest) => session.accountId)
export const agentIds = uuids(({ session }: WorkRequest) => session.agentIds)
export const sessionId = uuid(({ session }: WorkRequest) => session.id)

/** The agents whose work the session may take: those it names, or all of the account. None once the session was closed. */
export const served = fixed<WorkRequest>`served AS (
      SELECT a.id
      FROM agents a
      WHERE a.bucket = ${inBucket} AND a.account_id = ${accountId} AND a.state = 'active'
        AND (${agentIds} IS NULL OR a.id = ANY (${agentIds}))
        AND EXISTS (
          SELECT FROM runner_sessions s
          WHERE s.bucket = ${inBucket} AND s.account_id = ${accountId} AND s.id = ${sessionId}
        )
    )`

/** The most deferred runs of one agent that come due in one claim. The rest comes with the next. */
const dueMax = 250

/** Their rows become ones of the queue of ready runs, but for those that the claim takes. */
export const promoted: Insert<WorkRequest> = {
  as: "promoted",
  into: "ready_queue",
  from: "left_delayed",
  of: "execution_id NOT IN (SELECT execution_id FROM chosen)",
  row: { agent_id: "agent_id", rank: "rank", due_at: "due_at", execution_id: "execution_id" }
}

export const dueRuns = (clock: Clock, isDistributed: boolean) => {
  const { now } = fixedTimeSql(clock)
  /** The place of a row in its table. Citus takes no place for a row: joined by its key, its workers look up each. */
  const [noPlace, place] = isDistributed ? ["NULL", "NULL"] : ["NULL::tid", "q.ctid"]
  const isThere = isDistributed ? "q.due_at = due.due_at" : "q.ctid = due.place"
  const isDue = fixed<WorkRequest>`
    q.due_at <= ${now} AND e.status = 'queued' AND e.slot IS NULL AND e.due_at = q.due_at
    AND (e.start_by IS NULL OR e.start_by > ${now})`
  return {
    noPlace,
    /** Whether an execution `e` may be claimed by its row `q` in a queue. */
    isDue,
    /**
     * Those of agents with `rooms`, locked: they compete with the ready ones by their rank. They are remembered by their
     * place in the table, since many may be due.
     */
    due: fixed<WorkRequest>`
    due AS (
      SELECT rooms.agent_id, first.*, TRUE AS was_delayed
      FROM rooms
      CROSS JOIN LATERAL (
        SELECT q.rank, q.due_at, q.execution_id, ${place} AS place
        FROM delayed_queue q
        CROSS JOIN LATERAL (
          SELECT e.id FROM executions e
          WHERE e.bucket = ${inBucket} AND e.id = q.execution_id AND ${isDue}
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS e
        WHERE q.bucket = ${inBucket} AND q.agent_id = rooms.agent_id AND q.due_at <= ${now}
        ORDER BY q.due_at, q.execution_id
        LIMIT ${dueMax}
      ) AS first
    )`,
    /** Those, or some of them, leave their queue. By its place: joined by its key, every row that is due would be held against every other. */
    leftDelayed: (which = "TRUE") => fixed<WorkRequest>`
    left_delayed AS (
      DELETE FROM delayed_queue q
      USING due
      WHERE ${isThere} AND q.bucket = ${inBucket} AND q.agent_id = due.agent_id
        AND q.execution_id = due.execution_id AND ${which}
      RETURNING q.agent_id, q.rank, q.due_at, q.execution_id
    )`
  }
}

const DueRow = Schema.Struct({
  agentId: AgentId,
  rank: Schema.Int,
  dueAt: Schema.DateTimeUtc,
  executionId: ExecutionId
})
const dueTable = rowTable(columnsOf(DueRow, ""), DueRow)
const dueRows = rowsOf(dueTable)

const ofDue: Columns<typeof DueRow.Type> = {
  agent_id: uuid(({ agentId }) => agentId),
  rank: integer(({ rank }) => rank),
  due_at: timestamptz(({ dueAt }) => dueAt),
  execution_id: uuid(({ executionId }) => executionId)
}

/** Puts what is due, and was not taken, among what is ready. */
export const promoteDue = (clock: Clock) => {
  const { due, leftDelayed } = dueRuns(clock, true)
  const leave = statement(fixed<WorkRequest>`
    WITH ${served},
    rooms AS (SELECT id AS agent_id FROM served),
    ${due},
    ${leftDelayed()}
    SELECT ${dueTable.columns} FROM left_delayed`)
  return (sql: SqlClient, batch: WorkRequest) =>
    insertingLater(sql, dueRows(leave(sql, batch)), {
      batch,
      columns: ofDue,
      parts: [{ inserts: promoted, isOf: () => true }],
      stored: (rows) => rows
    })
}
