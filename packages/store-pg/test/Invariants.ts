/** What must be true of the rows of a database, whatever was done to it and however much of it at once. */
import { historyRules } from "@runhook/store-pg/backup/HistoryRules"
import { byBucket } from "@runhook/store-pg/database/Distribution"
import { citus } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import { SqlClient } from "effect/sql/SqlClient"

/** Compares rows of different buckets. They may lie on different nodes: then it looks at copies, which hide the tables. */
export const acrossBuckets = <A, E, R>(looking: Effect.Effect<A, E, R>) =>
  SqlClient.use((sql) =>
    Effect.forEach(
      citus === undefined ? [] : byBucket,
      (table) => sql`CREATE TEMPORARY TABLE ${sql(table)} ON COMMIT DROP AS TABLE ${sql(table)}`
    ).pipe(Effect.andThen(looking), sql.withTransaction)
  )

/** The rows that break a rule, by rule: none, when all is well. */
export const brokenRules = Effect.gen(function* () {
  const sql = yield* SqlClient
  /** Of what was queued when it was created, no first event is stored. */
  const events = sql`(
    SELECT execution_id, number, status FROM execution_events
    UNION ALL
    SELECT id, 1, 'queued' FROM executions
    WHERE NOT EXISTS (SELECT FROM execution_events v WHERE v.execution_id = id AND v.number = 1)
  )`
  const rules = {
    ...Record.map(historyRules, (query) => sql.unsafe(query)),
    "what waits has one row in one queue, and nothing else has any": sql`
      SELECT e.id
      FROM executions e
      LEFT JOIN (
        SELECT execution_id, due_at, rank FROM ready_queue
        UNION ALL
        SELECT execution_id, due_at, rank FROM delayed_queue
        UNION ALL
        SELECT execution_id, due_at, rank FROM concurrency_queue WHERE look_at IS DISTINCT FROM 'infinity'
      ) q ON q.execution_id = e.id AND q.due_at = e.due_at AND q.rank = -e.priority
      GROUP BY e.id, e.status, e.slot
      HAVING count(q.execution_id) <> CASE WHEN e.status = 'queued' AND e.slot IS NULL THEN 1 ELSE 0 END`,
    "every row of a queue is of an execution that waits": sql`
      SELECT q.execution_id
      FROM (
        SELECT execution_id FROM ready_queue
        UNION ALL SELECT execution_id FROM delayed_queue
        UNION ALL SELECT execution_id FROM concurrency_queue WHERE look_at IS DISTINCT FROM 'infinity'
      ) q
      JOIN executions e ON e.id = q.execution_id
      WHERE e.status <> 'queued' OR e.slot IS NOT NULL`,
    "what shares seats and is held or awaits input without a lease is in the queue of its key, and asleep there": sql`
      SELECT e.id
      FROM executions e
      JOIN execution_requests r ON r.bucket = e.bucket AND r.id = e.id AND r.concurrency IS NOT NULL
      LEFT JOIN concurrency_queue q
        ON q.bucket = e.bucket AND q.execution_id = e.id AND q.due_at = e.due_at AND q.rank = -e.priority
          AND q.look_at = 'infinity'
      WHERE (q.execution_id IS NOT NULL) <> (e.status IN ('pending', 'awaiting_input') AND e.slot IS NULL)`,
    "what shares seats may be claimed or is at work only with a seat of its key": sql`
      SELECT e.id
      FROM executions e
      JOIN execution_requests r ON r.bucket = e.bucket AND r.id = e.id AND r.concurrency IS NOT NULL
      LEFT JOIN ready_queue q ON q.execution_id = e.id
      LEFT JOIN concurrency_seats s
        ON s.execution_id = e.id AND NOT s.is_left AND s.account_id = e.account_id AND s.key = r.concurrency ->> 'key'
      WHERE (s.execution_id IS NULL) <> (e.slot IS NULL AND q.execution_id IS NULL)`,
    "no key has more at work than the widest of them allows": sql`
      SELECT s.account_id, s.key
      FROM concurrency_seats s
      JOIN execution_requests r ON r.id = s.execution_id
      WHERE NOT s.is_left
      GROUP BY s.account_id, s.key
      HAVING count(*) > max((r.concurrency ->> 'limit')::integer)`,
    "a lease and its slot name each other": sql`
      SELECT e.id, s.execution_id
      FROM (SELECT * FROM executions WHERE slot IS NOT NULL) e
      FULL JOIN (SELECT * FROM agent_slots WHERE execution_id IS NOT NULL) s
        ON s.agent_id = e.agent_id AND s.slot = e.slot AND s.execution_id = e.id AND s.session_id = e.session_id
      WHERE e.id IS NULL OR s.execution_id IS NULL`,
    "a lease is whole or not there": sql`
      SELECT id FROM executions
      WHERE num_nulls(slot, session_id, claim_id, lease_expires_at) NOT IN (0, 4)`,
    "the status for lists is the status, and what runs is listed as queued": sql`
      SELECT e.id FROM executions e
      LEFT JOIN execution_status s ON s.execution_id = e.id
      WHERE s.status IS DISTINCT FROM CASE e.status WHEN 'running' THEN 'queued' ELSE e.status END`,
    "what waits for an answer has an open question, and nothing else has": sql`
      SELECT e.id FROM executions e
      WHERE (e.status = 'awaiting_input') <> (e.input_expires_at IS NOT NULL)`,
    "each status that was entered, has an event and is told of has one delivery": sql`
      SELECT r.id FROM execution_requests r
      LEFT JOIN webhook_deliveries d ON d.execution_id = r.id
      WHERE r.callback_url IS NOT NULL
      GROUP BY r.id
      HAVING array_agg(d.execution_status ORDER BY d.execution_status) FILTER (WHERE d.type IS NOT NULL)
        IS DISTINCT FROM (
          SELECT array_agg(DISTINCT v.status) FROM ${events} v
          WHERE v.execution_id = r.id AND v.status NOT IN ('pending', 'awaiting_input')
        )`,
    "each delivery says of which change it tells: the one in which the status was entered for the first time": sql`
      SELECT d.id FROM webhook_deliveries d
      WHERE d.execution_id IS NOT NULL AND d.revision IS DISTINCT FROM (
        SELECT min(v.number) FROM ${events} v
        WHERE v.execution_id = d.execution_id AND v.status = d.execution_status
      )`,
    "what is pending is in the queue of deliveries, and nothing else is": sql`
      SELECT d.id, q.delivery_id
      FROM (SELECT * FROM webhook_deliveries WHERE state = 'pending') d
      FULL JOIN webhook_queue q ON q.delivery_id = d.id AND q.due_at = d.next_attempt_at
        AND q.is_retry = (d.attempts > 0)
      WHERE d.id IS NULL OR q.delivery_id IS NULL`,
    "the events of an execution that are under way are with one dispatcher": sql`
      SELECT d.execution_id
      FROM webhook_deliveries d
      JOIN webhook_queue q ON q.delivery_id = d.id
      WHERE q.dispatcher_id IS NOT NULL AND d.round = 1 AND d.execution_id IS NOT NULL
      GROUP BY d.execution_id
      HAVING count(DISTINCT q.dispatcher_id) > 1`,
    "the counts of unfinished executions are right": sql`
      SELECT c.api_key_id FROM live_counts c
      WHERE c.live - (SELECT count(*) FROM live_releases l WHERE l.api_key_id = c.api_key_id) <> (
        SELECT count(*) FROM executions e WHERE e.api_key_id = c.api_key_id AND e.stopped_at IS NULL
      )`,
    "the bytes that count for an account are those of its artifacts": sql`
      SELECT u.account_id, a.account_id AS owner
      FROM (SELECT * FROM artifact_usage WHERE bytes <> 0) u
      FULL JOIN (SELECT account_id, sum(size_bytes) AS bytes FROM artifacts GROUP BY account_id) a
        ON a.account_id = u.account_id
      WHERE u.bytes IS DISTINCT FROM a.bytes`,
    "no file of an artifact is left over": sql`
      SELECT l.id FROM artifact_leftovers l JOIN artifacts a ON a.id = l.id`,
    "no agent has more leases than its capacity ever was": sql`
      SELECT a.id FROM agents a
      WHERE (SELECT count(*) FROM agent_slots s WHERE s.agent_id = a.id AND NOT s.is_surplus) <> a.capacity`
  }
  const broken = yield* acrossBuckets(Effect.all(rules))
  return Object.entries(broken).flatMap(([rule, rows]) => (rows.length === 0 ? [] : [{ rule, rows }]))
})
