/** The one statement that stores new executions of one bucket, with everything that makes them so. */
import { deliveryLifetime } from "@runhook/core/domain/Delivery"
import type { Execution } from "@runhook/core/domain/Execution"
import { type EventId, ExecutionId } from "@runhook/core/domain/Ids"
import { accepted, type Change } from "@runhook/core/domain/Run"
import type { Idempotency } from "@runhook/core/ports/ExecutionStore"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { doubles, instants, integers, texts, uuids, wordLists } from "../Arrays.ts"
import { type Clock, nowBy } from "../clock/StoreClock.ts"
import { entersQueue } from "../deliveries/Entering.ts"

/** An execution to store, as the port is asked for it, and the id of its first event. */
export interface Creation {
  readonly execution: Execution
  readonly idempotency: Idempotency | null
  readonly accountMaxLive: number
  readonly keyMaxLive: number | null
  readonly eventId: EventId
}

/** The change that it is, once it is stored. */
export const madeBy = ({ eventId, execution }: Creation): Change => {
  const change = accepted(execution)
  return change.event === null ? change : { ...change, deliveryId: eventId }
}

/** What became of a creation: made, over a limit, or neither, when its idempotency key was used before. */
export const CreatedRow = Schema.Struct({
  id: ExecutionId,
  isMade: Schema.Boolean,
  refusedBy: Schema.NullOr(Schema.Literals(["account", "key"]))
})

/** For how many milliseconds the idempotency key of a creation is remembered. */
const keyLifetime = ({ execution, idempotency }: Creation): number | null =>
  idempotency && idempotency.expiresAt.epochMilliseconds - execution.createdAt.epochMilliseconds

/** The most ended executions that one statement strikes off the counts of unfinished ones. */
const releasesMax = 4_096

/**
 * Stores what is within the limits and no replay. Answers a `CreatedRow` for
 * each creation that is not plainly a replay. The counts of an account are
 * locked first, so its limits hold however many create at once; a finished
 * execution only leaves a note, so that those who finish never wait there.
 */
export const createStatement = (
  sql: SqlClient,
  options: { readonly bucket: number; readonly creations: ReadonlyArray<Creation>; readonly clock: Clock }
) => {
  const { bucket, clock, creations } = options
  const executions = creations.map(({ execution }) => execution)
  const keys = creations.map(({ idempotency }) => idempotency)
  const changes = executions.map(accepted)
  // Creations of several callers are stored at once: each was made at its own now.
  const now = nowBy(sql, clock, sql`asked.created_at`)
  return sql`
    WITH asked AS (
      SELECT *, ${now} AS now_at, greatest(${now}, asked.scheduled_at) AS due_at
      FROM unnest(
        ${uuids(executions.map(({ accountId }) => accountId))}::uuid[],
        ${uuids(executions.map(({ id }) => id))}::uuid[],
        ${uuids(executions.map(({ apiKeyId }) => apiKeyId))}::uuid[],
        ${uuids(executions.map(({ agentId }) => agentId))}::uuid[],
        ${uuids(executions.map(({ taskId }) => taskId))}::uuid[],
        ${uuids(executions.map(({ taskVersionId }) => taskVersionId))}::uuid[],
        ${texts(executions.map(({ status }) => status))}::text[],
        ${texts(executions.map(({ reference }) => reference))}::text[],
        ${texts(executions.map(({ metadata }) => JSON.stringify(metadata)))}::text[],
        ${texts(executions.map(({ params }) => JSON.stringify(params)))}::text[],
        ${integers(executions.map(({ priority }) => priority))}::integer[],
        ${instants(executions.map(({ scheduledAt }) => scheduledAt))}::timestamptz[],
        ${instants(executions.map(({ expiresAt }) => expiresAt))}::timestamptz[],
        ${integers(executions.map(({ timeoutSeconds }) => timeoutSeconds))}::integer[],
        ${integers(executions.map(({ maxAttempts }) => maxAttempts))}::integer[],
        ${texts(executions.map(({ retryBackoff }) => JSON.stringify(retryBackoff)))}::text[],
        ${texts(executions.map(({ callbackUrl }) => callbackUrl))}::text[],
        ${wordLists(executions.map(({ callbackEvents }) => callbackEvents))}::text[],
        ${texts(executions.map(({ requestId }) => requestId))}::text[],
        ${uuids(executions.map(({ rerunOf }) => rerunOf))}::uuid[],
        ${instants(executions.map(({ createdAt }) => createdAt))}::timestamptz[],
        ${wordLists(changes.map(({ run }) => run.execution.announced))}::text[],
        ${texts(changes.map(({ event }) => event))}::text[],
        ${uuids(creations.map(({ eventId }) => eventId))}::uuid[],
        ${texts(keys.map((each) => each && each.key))}::text[],
        ${texts(keys.map((each) => each && each.fingerprint))}::text[],
        ${doubles(creations.map(keyLifetime))}::float8[],
        ${integers(creations.map(({ accountMaxLive }) => accountMaxLive))}::integer[],
        ${integers(creations.map(({ keyMaxLive }) => keyMaxLive))}::integer[]
      ) WITH ORDINALITY AS asked (
        account_id, id, api_key_id, agent_id, task_id, task_version_id, status, reference, metadata, params,
        priority, scheduled_at, expires_at, timeout_seconds, max_attempts, retry_backoff, callback_url,
        callback_events, request_id, rerun_of, created_at, announced, event, event_id,
        idempotency_key, fingerprint, key_lifetime, account_max_live, key_max_live, place
      )
    ),
    fresh AS (
      -- Of equal keys in one statement the first is made, the others find what it made.
      SELECT DISTINCT ON (a.api_key_id, coalesce(a.idempotency_key, a.id::text)) a.*
      FROM asked a
      LEFT JOIN LATERAL (
        SELECT k.execution_id
        FROM idempotency_keys k
        WHERE k.bucket = ${bucket}::smallint AND k.api_key_id = a.api_key_id AND k.key = a.idempotency_key
          AND k.expires_at > a.now_at
        LIMIT 1
      ) AS known ON TRUE
      WHERE known.execution_id IS NULL
      ORDER BY a.api_key_id, coalesce(a.idempotency_key, a.id::text), a.place
    ),
    counted AS (
      SELECT account_id, api_key_id, live
      FROM live_counts
      WHERE bucket = ${bucket}::smallint AND account_id IN (SELECT account_id FROM fresh)
      ORDER BY account_id, api_key_id
      FOR UPDATE
    ),
    noted AS (
      SELECT account_id, execution_id
      FROM live_releases
      WHERE bucket = ${bucket}::smallint AND account_id IN (SELECT account_id FROM counted)
      LIMIT ${releasesMax}::integer
      FOR UPDATE SKIP LOCKED
    ),
    released AS (
      DELETE FROM live_releases l
      USING noted
      WHERE l.bucket = ${bucket}::smallint AND l.account_id = noted.account_id
        AND l.execution_id = noted.execution_id
      RETURNING l.account_id, l.api_key_id
    ),
    live AS (
      SELECT account_id, api_key_id, sum(live) AS live
      FROM (
        SELECT account_id, api_key_id, live FROM counted
        UNION ALL
        SELECT account_id, api_key_id, -1 FROM released
      ) AS entries
      GROUP BY account_id, api_key_id
    ),
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
    remembered AS (
      INSERT INTO idempotency_keys AS k (
        bucket, api_key_id, key, fingerprint, execution_id, created_at, expires_at
      )
      SELECT ${bucket}::smallint, api_key_id, idempotency_key, fingerprint, id, now_at,
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
    made AS (
      SELECT *
      FROM judged
      WHERE refused_by IS NULL
        AND (idempotency_key IS NULL OR id IN (SELECT execution_id FROM remembered))
    ),
    requested AS (
      INSERT INTO execution_requests (
        bucket, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference, metadata, params,
        priority, scheduled_at, expires_at, timeout_seconds, max_attempts, retry_backoff, callback_url,
        callback_events, request_id, rerun_of, created_at, bytes
      )
      SELECT ${bucket}::smallint, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference,
        metadata::json, params::json, priority, scheduled_at, expires_at, timeout_seconds, max_attempts,
        retry_backoff::json, callback_url, callback_events::text[], request_id, rerun_of, created_at,
        octet_length(metadata) + octet_length(params)
      FROM made
    ),
    stored AS (
      INSERT INTO executions (
        bucket, account_id, id, agent_id, api_key_id, priority, status, announced, updated_at, due_at, start_by
      )
      SELECT ${bucket}::smallint, account_id, id, agent_id, api_key_id, priority, status, announced::text[],
        created_at, due_at, expires_at
      FROM made
    ),
    listed AS (
      INSERT INTO execution_status (bucket, account_id, execution_id, agent_id, task_id, status)
      SELECT ${bucket}::smallint, account_id, id, agent_id, task_id, status FROM made
    ),
    happened AS (
      INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
      SELECT ${bucket}::smallint, id, 1, status, 0, created_at, 'created', 0
      FROM made
      -- What was queued at once is known by its request: see the reading of events.
      WHERE status <> 'queued'
    ),
    ready AS (
      INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
      SELECT ${bucket}::smallint, agent_id, -priority, due_at, id
      FROM made
      WHERE status = 'queued' AND due_at <= now_at
    ),
    delayed AS (
      INSERT INTO delayed_queue (bucket, agent_id, rank, due_at, execution_id)
      SELECT ${bucket}::smallint, agent_id, -priority, due_at, id
      FROM made
      WHERE status = 'queued' AND due_at > now_at
    ),
    recounted AS (
      INSERT INTO live_counts AS c (bucket, account_id, api_key_id, live)
      SELECT ${bucket}::smallint, account_id, api_key_id, sum(change)
      FROM (
        SELECT account_id, api_key_id, 1 AS change FROM made
        UNION ALL
        SELECT account_id, api_key_id, -1 FROM released
      ) AS entries
      GROUP BY account_id, api_key_id
      ORDER BY account_id, api_key_id
      ON CONFLICT (bucket, account_id, api_key_id) DO UPDATE SET live = c.live + excluded.live
    ),
    told AS (
      INSERT INTO webhook_deliveries (
        bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference, execution_status,
        state, attempts, round, next_attempt_at, expires_at, created_at
      )
      SELECT ${bucket}::smallint, account_id, event_id, api_key_id, id, 1, event, callback_url, request_id, reference,
        status, 'pending', 0, 1, now_at, now_at + ${Duration.toMillis(deliveryLifetime)}::integer * interval '1 millisecond', created_at
      FROM made
      WHERE event IS NOT NULL
      RETURNING *
    ),
    telling AS (${entersQueue(sql, "told")})
    SELECT id, id IN (SELECT id FROM made) AS "isMade", refused_by AS "refusedBy"
    FROM judged`
}
