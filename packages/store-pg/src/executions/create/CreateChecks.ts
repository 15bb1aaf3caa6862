/** Which executions that are asked for are made: those within the limits whose idempotency key was not used before. */
import { deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import * as Duration from "effect/Duration"
import { type Fixed, fixed, type InBucket } from "../../sql/Statement.ts"
import { inBucket } from "../../sql/Parameters.ts"

/** The most ended executions that one statement strikes off the counts of unfinished ones. */
const releasesMax = 4_096

/**
 * The relation `counted`: the counts of unfinished executions of accounts, locked, always in one order. This
 * blocks other creates for these accounts, so the limits hold.
 */
export const counted = <Batch extends InBucket>(
  accounts: Fixed<Batch>
): Fixed<Batch> => fixed<Batch>`counted AS (
  SELECT account_id, api_key_id, live
  FROM live_counts
  WHERE bucket = ${inBucket} AND account_id = ANY (${accounts})
  ORDER BY account_id, api_key_id
  FOR UPDATE
)`

/** Whether the account of a row is no longer there: its removal takes away the counts of its keys. */
export const isRemoved = (row: string): string =>
  `NOT EXISTS (SELECT FROM counted c WHERE c.account_id = ${row}.account_id AND c.api_key_id = ${row}.api_key_id)`

/**
 * The relation `released`: notes of executions of what is `counted` that have ended since, and are used up. They lower
 * the counts. An end leaves a note instead of waiting for this lock.
 */
export const released = fixed<InBucket>`noted AS (
  SELECT account_id, execution_id
  FROM live_releases
  WHERE bucket = ${inBucket} AND account_id = ANY (ARRAY (SELECT DISTINCT account_id FROM counted))
  LIMIT ${releasesMax}
  FOR UPDATE SKIP LOCKED
),
released AS (
  DELETE FROM live_releases l
  USING noted
  WHERE l.bucket = ${inBucket} AND l.account_id = noted.account_id
    AND l.execution_id = noted.execution_id
  RETURNING l.account_id, l.api_key_id
)`

/**
 * The relation `judged`, of new executions with their `place` and of the `live` counts: which of them are refused, since
 * their account was removed or they are over a limit, of the account first, then of the key. Each is judged by those before it that are not refused.
 */
export const withinLimits = (asked: string, live: string): Fixed<InBucket> => fixed<InBucket>`
fitting AS (
  SELECT a.*, (
    row_number() OVER (PARTITION BY a.account_id, a.api_key_id ORDER BY a.place)
      + coalesce(
          (SELECT l.live FROM ${live} l WHERE l.account_id = a.account_id AND l.api_key_id = a.api_key_id), 0
        ) > a.key_max_live
    ) IS NOT TRUE AS fits_key
  FROM ${asked} a
),
judged AS (
  SELECT f.*,
    CASE
      WHEN ${isRemoved("f")} THEN 'removed'
      WHEN count(*) FILTER (WHERE f.fits_key) OVER (
          PARTITION BY f.account_id ORDER BY f.place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) + coalesce((SELECT sum(l.live) FROM ${live} l WHERE l.account_id = f.account_id), 0) >= f.account_max_live
        THEN 'account'
      WHEN NOT f.fits_key THEN 'key'
    END AS refused_by
  FROM fitting f
)`

/** The relation `judged`, of what is `asked` at its `now`: all but duplicates, and by which limit each is refused. */
export const judged = <Batch extends InBucket>(now: Fixed<Batch>): Fixed<Batch> => fixed<Batch>`
-- When each is created by the clock that counts, when it is due, and how long its event and its key are kept.
timed AS (
  SELECT *, ${now} AS now_at, greatest(${now}, scheduled_at) AS due_at,
    ${now} + ${Duration.toMillis(deliveryLifetime)} * interval '1 millisecond' AS told_until,
    ${now} + key_lifetime * interval '1 millisecond' AS key_until
  FROM asked
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
${counted<Batch>(fixed`ARRAY (SELECT DISTINCT account_id FROM fresh)`)},
${released},
-- The counts are what is left.
live AS (
  SELECT account_id, api_key_id, sum(live) AS live
  FROM (
    SELECT account_id, api_key_id, live FROM counted
    UNION ALL
    SELECT account_id, api_key_id, -1 FROM released
  ) AS entries
  GROUP BY account_id, api_key_id
),
${withinLimits("fresh", "live")}`
