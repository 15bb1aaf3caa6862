/** The statement that creates executions, with their requests, queue entries and callbacks. */
import { deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import { ExecutionId } from "@runhook/core/domain/Ids"
import { accepted } from "@runhook/core/domain/run/Run"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Clock, nowSql } from "../../clock/StoreClock.ts"
import type { Places } from "../../deliveries/queue/HandOver.ts"
import { begunSql, outgoing, queuesOutgoing } from "../../deliveries/queue/OutgoingEvents.ts"
import { inBucket } from "../../sql/Parameters.ts"
import { type Count, fixedRows } from "../../sql/Rows.ts"
import { fixed, type InBucket, statement } from "../../sql/Statement.ts"
import { type Asked, columns, type Creation, requestColumns } from "./Creation.ts"
import { taken, takenBy, takenColumns, type WorkPlaces } from "./TakenAtOnce.ts"

/** What became of a creation: made, over a limit, or neither, when its idempotency key was used before. */
export const CreatedRow = Schema.Struct({
  id: ExecutionId,
  isMade: Schema.Boolean,
  /** When its event was begun by the place that was kept for it; null when it was not. */
  begunAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When a poll has got it, and its slot; null when it waits in the queue. */
  takenAt: Schema.NullOr(Schema.DateTimeUtc),
  slot: Schema.NullOr(Schema.Int),
  refusedBy: Schema.NullOr(Schema.Literals(["account", "key"]))
})

/** The most ended executions that one statement strikes off the counts of unfinished ones. */
const releasesMax = 4_096

const begun = begunSql("now_at")

const madeOutgoing = outgoing({
  from: "(SELECT *, now_at + lease * interval '1 millisecond' AS begun_until FROM made)",
  at: "now_at",
  events: "first"
})

const requested = Object.keys(requestColumns)
const json = new Set(["metadata", "params", "retry_backoff"])

/** JSON comes as text. */
const asStored = (column: string): string => (json.has(column) ? `${column}::json` : column)

interface Batch extends InBucket {
  readonly asked: ReadonlyArray<Asked>
}

/** Whether polls of this process wait for some of them. */
type Waiting = "nobody" | "polls"

const insert = (clock: Clock, count: Count, waiting: Waiting) => {
  // Creations of several callers are stored at once: each was made at its own now.
  const now = nowSql<Batch>(clock, fixed`created_at`)
  const [isWaitedFor, asked] =
    waiting === "polls" ? [true, { ...columns, ...takenColumns }] : [false, columns]
  /** What was made and nobody has got. */
  const left = isWaitedFor ? "(SELECT * FROM made WHERE id NOT IN (SELECT id FROM taken)) AS made" : "made"
  return statement(fixed<Batch>`
-- The executions to create, numbered in the order in which they were asked for.
WITH asked AS (SELECT * FROM ${fixedRows("asked", ({ asked: creations }: Batch) => creations, asked, count)}),
-- When each is created by the clock that counts, and when it is due.
timed AS (
  SELECT *, ${now} AS now_at, greatest(${now}, scheduled_at) AS due_at FROM asked
),
-- Those whose idempotency key was not used before. Of equal keys in this statement the first counts, and the others are
-- duplicates of it.
fresh AS (
  SELECT DISTINCT ON (a.api_key_id, coalesce(a.idempotency_key, a.id::text)) a.*
  FROM timed a
  LEFT JOIN LATERAL (
    SELECT k.execution_id
    FROM idempotency_keys k
    WHERE k.bucket = ${inBucket} AND k.api_key_id = a.api_key_id AND k.key = a.idempotency_key
      AND k.expires_at > a.now_at
    LIMIT 1
  ) AS known ON TRUE
  WHERE known.execution_id IS NULL
  ORDER BY a.api_key_id, coalesce(a.idempotency_key, a.id::text), a.place
),
-- The counts of unfinished executions of the accounts, locked, always in one order. From here on nobody else creates for
-- them, so the limits hold.
counted AS (
  SELECT account_id, api_key_id, live
  FROM live_counts
  WHERE bucket = ${inBucket} AND account_id = ANY (ARRAY (SELECT DISTINCT account_id FROM fresh))
  ORDER BY account_id, api_key_id
  FOR UPDATE
),
-- Notes of executions that have ended since: they lower the counts. Who ends one leaves a note and never waits here.
noted AS (
  SELECT account_id, execution_id
  FROM live_releases
  WHERE bucket = ${inBucket} AND account_id = ANY (ARRAY (SELECT DISTINCT account_id FROM counted))
  LIMIT ${releasesMax}
  FOR UPDATE SKIP LOCKED
),
-- The notes are used up,
released AS (
  DELETE FROM live_releases l
  USING noted
  WHERE l.bucket = ${inBucket} AND l.account_id = noted.account_id
    AND l.execution_id = noted.execution_id
  RETURNING l.account_id, l.api_key_id
),
-- and the counts are what is left.
live AS (
  SELECT account_id, api_key_id, sum(live) AS live
  FROM (
    SELECT account_id, api_key_id, live FROM counted
    UNION ALL
    SELECT account_id, api_key_id, -1 FROM released
  ) AS entries
  GROUP BY account_id, api_key_id
),
-- Which of them are over a limit: of the account first, then of the key. Those before it in this statement count too.
judged AS (
  SELECT f.*,
    CASE
      WHEN row_number() OVER (PARTITION BY f.account_id ORDER BY f.place)
        + coalesce((SELECT sum(live) FROM live l WHERE l.account_id = f.account_id), 0) > f.account_max_live
        THEN 'account'
      WHEN row_number() OVER (PARTITION BY f.account_id, f.api_key_id ORDER BY f.place)
        + coalesce(
            (SELECT live FROM live l WHERE l.account_id = f.account_id AND l.api_key_id = f.api_key_id), 0
          ) > f.key_max_live
        THEN 'key'
    END AS refused_by
  FROM fresh f
),
-- The idempotency keys of what is made. A key whose time is over is used anew; one that another transaction used at this
-- moment is not returned, and its execution not made.
remembered AS (
  INSERT INTO idempotency_keys AS k (
    bucket, api_key_id, key, fingerprint, execution_id, created_at, expires_at
  )
  SELECT ${inBucket}, api_key_id, idempotency_key, fingerprint, id, now_at,
    now_at + key_lifetime * interval '1 millisecond'
  FROM judged
  WHERE refused_by IS NULL AND idempotency_key IS NOT NULL
  -- Always in one order: two statements with the same keys would otherwise wait for each other.
  ORDER BY api_key_id, idempotency_key COLLATE "C"
  ON CONFLICT (bucket, api_key_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, execution_id = excluded.execution_id,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE k.expires_at <= excluded.created_at
  RETURNING k.execution_id
),
-- What is created.
made AS (
  SELECT *
  FROM judged
  WHERE refused_by IS NULL
    AND (idempotency_key IS NULL OR id IN (SELECT execution_id FROM remembered))
),${isWaitedFor ? taken : ""}
-- What never changes about it,
requested AS (
  INSERT INTO execution_requests (bucket, ${requested.join(", ")}, bytes)
  SELECT ${inBucket}, ${requested.map(asStored).join(", ")}, octet_length(metadata) + octet_length(params)
  FROM made
),
-- what happens to it,
stored AS (
  INSERT INTO executions (
    bucket, account_id, id, agent_id, api_key_id, priority, status, updated_at, due_at, start_by
  )
  SELECT ${inBucket}, account_id, id, agent_id, api_key_id, priority, status, created_at, due_at,
    expires_at
  FROM ${left}
),
-- where it is listed,
listed AS (
  INSERT INTO execution_status (bucket, account_id, execution_id, agent_id, task_id, status)
  SELECT ${inBucket}, account_id, id, agent_id, task_id, status FROM made
),
-- and its first event. That of an execution that is queued at once is not stored: its request says as much.
happened AS (
  INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
  SELECT ${inBucket}, id, 1, status, 0, created_at, 'created', 0
  FROM made
  WHERE status <> 'queued'
),
-- It is in a queue: that of ready runs if it is due,
ready AS (
  INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
  SELECT ${inBucket}, agent_id, -priority, due_at, id
  FROM ${left}
  WHERE status = 'queued' AND due_at <= now_at
),
-- that of deferred runs if not.
delayed AS (
  INSERT INTO delayed_queue (bucket, agent_id, rank, due_at, execution_id)
  SELECT ${inBucket}, agent_id, -priority, due_at, id
  FROM made
  WHERE status = 'queued' AND due_at > now_at
),
-- The counts, with what was made and without what has ended.
recounted AS (
  INSERT INTO live_counts AS c (bucket, account_id, api_key_id, live)
  SELECT ${inBucket}, account_id, api_key_id, sum(change)
  FROM (
    SELECT account_id, api_key_id, 1 AS change FROM made
    UNION ALL
    SELECT account_id, api_key_id, -1 FROM released
  ) AS entries
  GROUP BY account_id, api_key_id
  ORDER BY account_id, api_key_id
  ON CONFLICT (bucket, account_id, api_key_id) DO UPDATE SET live = c.live + excluded.live
),
${madeOutgoing},
-- The callbacks: as deliveries,
told AS (
  INSERT INTO webhook_deliveries (
    bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference, execution_status,
    state, attempts, attempted_at, round, next_attempt_at, expires_at, created_at
  )
  SELECT ${inBucket}, account_id, event_id, api_key_id, id, 1, event, callback_url, request_id,
    nullif(reference, id::text), status, 'pending', ${begun.attempts}, ${begun.attemptedAt}, 1,
    ${begun.dueAt},
    now_at + ${Duration.toMillis(deliveryLifetime)} * interval '1 millisecond', created_at
  FROM outgoing
),
-- and in the queue, or with the dispatcher that has kept a place.
telling AS (${queuesOutgoing("now_at")}
)
SELECT id, id IN (SELECT id FROM made) AS "isMade", refused_by AS "refusedBy",
  CASE WHEN id IN (SELECT id FROM outgoing WHERE is_begun) THEN now_at END::timestamptz AS "begunAt",
  ${isWaitedFor ? `(SELECT now_at FROM taken t WHERE t.id = judged.id)` : "NULL"}::timestamptz AS "takenAt",
  ${isWaitedFor ? `(SELECT slot FROM taken t WHERE t.id = judged.id)` : "NULL"}::integer AS slot
FROM judged`)
}

/**
 * Creates executions of one bucket: those that are within the limits and no
 * duplicates.
 *
 * - **Answers** a `CreatedRow` for each that was made or refused.
 * - **Locks** the counts of unfinished executions first, in the order of their
 *   keys, so that the limits hold however many create at once; then notes of
 *   ends with SKIP LOCKED; then idempotency keys, in their order.
 * - **May be missing**: duplicates of executions that were made before. One whose
 *   idempotency key another transaction uses at this moment is neither made
 *   nor refused.
 */
export const insertExecutions = (clock: Clock) => {
  const texts = {
    nobody: { one: insert(clock, "one", "nobody"), many: insert(clock, "many", "nobody") },
    polls: { one: insert(clock, "one", "polls"), many: insert(clock, "many", "polls") }
  }
  return (
    sql: SqlClient,
    options: {
      readonly bucket: number
      readonly creations: ReadonlyArray<Creation>
      readonly places: Places<Creation>
      readonly work: WorkPlaces
    }
  ) => {
    const { bucket, creations, places, work } = options
    const asked = creations.map((creation, order) => {
      const poll = work.get(creation)
      return {
        ...creation,
        order,
        change: accepted(creation.execution),
        place: places.get(creation),
        taken: poll && takenBy(creation, poll, creation.execution.createdAt).run
      }
    })
    const count = asked.length === 1 ? "one" : "many"
    return texts[work.size === 0 ? "nobody" : "polls"][count](sql, { bucket, asked })
  }
}
