/**
 * The statement that looks whether there is anything to claim, and when there
 * will be. A claim has a step for everything it may take, and starting all of
 * them for nothing would cost PostgreSQL more than the rest of a poll that finds
 * nothing.
 */
import * as Schema from "effect/Schema"
import type { Clock } from "../../clock/StoreClock.ts"
import { fixedTimeSql } from "../../clock/FixedTimeSql.ts"
import { inBucket } from "../../sql/Parameters.ts"
import { statement, fixed } from "../../sql/Statement.ts"
import { accountId, agentIds, claimId, type ClaimRequest, sessionId } from "./ClaimRuns.ts"

/** `nextDueAt`: when the next deferred run of the session's agents is due, beyond what is due already. */
export const WorkRow = Schema.Struct({
  now: Schema.DateTimeUtc,
  nextDueAt: Schema.NullOr(Schema.DateTimeUtc),
  isWorthIt: Schema.Boolean
})

/**
 * Looks whether a claim would find something, or repeat an earlier one, and when
 * the next deferred run is due. Locks nothing, so what it sees may be gone when
 * it is claimed. Answers no row when the session was closed.
 */
export const findWork = (clock: Clock) => {
  const { now } = fixedTimeSql(clock)
  const served = fixed<ClaimRequest>`
    agents a
    WHERE a.bucket = ${inBucket} AND a.account_id = ${accountId} AND a.state = 'active'
      AND (${agentIds} IS NULL OR a.id = ANY (${agentIds}))`
  const nextDue = fixed<ClaimRequest>`
    SELECT q.due_at
    FROM delayed_queue q
    WHERE q.bucket = ${inBucket} AND q.agent_id = a.id AND q.due_at > ${now}
    ORDER BY q.due_at
    LIMIT 1`
  const isReady = fixed<ClaimRequest>`
    EXISTS (
      SELECT FROM ready_queue q WHERE q.bucket = ${inBucket} AND q.agent_id = a.id OFFSET 0
    )`
  const isDue = fixed<ClaimRequest>`
    EXISTS (
      SELECT FROM delayed_queue q
      WHERE q.bucket = ${inBucket} AND q.agent_id = a.id AND q.due_at <= ${now}
      OFFSET 0
    )`
  const isRepeated = fixed<ClaimRequest>`
    EXISTS (
      SELECT FROM agent_slots s
      CROSS JOIN LATERAL (
        SELECT FROM executions e
        WHERE e.bucket = ${inBucket} AND e.id = s.execution_id AND e.session_id = ${sessionId}
          AND e.claim_id = ${claimId} AND e.lease_expires_at > ${now}
        LIMIT 1
      ) AS e
      WHERE s.bucket = ${inBucket} AND s.agent_id = a.id AND s.session_id = ${sessionId}
      OFFSET 0
    )`
  return statement(fixed<ClaimRequest>`
    SELECT ${now} AS now, (
      SELECT min(next.due_at) FROM (SELECT (${nextDue}) AS due_at FROM ${served}) AS next
    ) AS "nextDueAt", EXISTS (
      SELECT FROM ${served} AND (${isReady} OR ${isDue} OR ${isRepeated})
    ) AS "isWorthIt"
    FROM runner_sessions s
    WHERE s.bucket = ${inBucket} AND s.account_id = ${accountId} AND s.id = ${sessionId}`)
}
