/** The statement that previews a replay: walks by rising id, and counts by receiver and type. */
import type { ReplayFilter } from "@runhook/core/replays/ReplayJob"
import type { PreviewBounds } from "@runhook/core/replays/ReplayPreview"
import type { AccountId } from "@runhook/core/shared/Ids"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { originOf } from "../deliveries/queue/Origins.ts"
import { integer, smallint, uuid } from "../sql/Parameters.ts"
import { meant, named, walked } from "./ReplayFilters.ts"

const Part = Schema.Struct({
  origin: Schema.String,
  type: Schema.String,
  count: Schema.Int,
  oldestAt: Schema.DateTimeUtcFromString,
  newestAt: Schema.DateTimeUtcFromString
})

/** One row per receiver and type; one without a part when there is none. */
export const PreviewRow = Schema.Struct({
  isMore: Schema.Boolean,
  part: Schema.NullOr(Schema.fromJsonString(Part))
})

/**
 * Counts what a replay would start. Locks nothing. Answers a `PreviewRow` for each receiver and type, each with
 * whether there may be more than was looked at or counted.
 */
export const previewReplay = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly accountId: AccountId
    readonly filter: ReplayFilter
    readonly bounds: PreviewBounds
  }
) => {
  const { accountId, bounds, bucket, filter } = options
  return sql`
    -- As many deliveries as one preview looks at, and one more to see whether there are others.
    WITH seen AS MATERIALIZED (
      SELECT x.id
      FROM ${walked(sql, filter)} x
      WHERE x.bucket = ${smallint(bucket)} AND x.account_id = ${uuid(accountId)} AND ${named(sql, filter)}
      ORDER BY x.id
      LIMIT ${integer(bounds.seen + 1)}
    ),
    -- Those that match the replay, up to as many as are counted, and one more.
    found AS MATERIALIZED (
      SELECT d.origin, d.type, d.created_at
      FROM (SELECT id FROM seen LIMIT ${integer(bounds.seen)}) AS s
      CROSS JOIN LATERAL (
        SELECT ${originOf(sql, "d.url")} AS origin, d.type, d.created_at
        FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} AND d.id = s.id
          AND ${meant(sql, { bucket, filter })}
        LIMIT 1
      ) AS d
      LIMIT ${integer(bounds.counted + 1)}
    ),
    -- Counted by receiver and type.
    parts AS (
      SELECT f.origin, f.type, count(*)::integer AS count, min(f.created_at) AS oldest_at, max(f.created_at) AS newest_at
      FROM (SELECT * FROM found LIMIT ${integer(bounds.counted)}) AS f
      GROUP BY f.origin, f.type
    )
    SELECT bounds.is_more AS "isMore",
      CASE WHEN p.origin IS NOT NULL THEN json_build_object(
        'origin', p.origin, 'type', p.type, 'count', p.count, 'oldestAt', p.oldest_at, 'newestAt', p.newest_at
      )::text END AS part
    FROM (
      SELECT (SELECT count(*) FROM seen) > ${integer(bounds.seen)}
        OR (SELECT count(*) FROM found) > ${integer(bounds.counted)} AS is_more
    ) AS bounds
    LEFT JOIN parts p ON TRUE`
}
