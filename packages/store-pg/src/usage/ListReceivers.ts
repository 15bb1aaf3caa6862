/** The receivers of an account, with their sent and waiting deliveries. */
import { AttemptCause } from "@runhook/core/deliveries/steps/AttemptCause"
import type { ReceiverRecord } from "@runhook/core/deliveries/claim/ReceiverStanding"
import type { AccountId } from "@runhook/core/shared/Ids"
import { receiverCountsTo } from "@runhook/core/usage/UsageCounts"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { integer, smallint, timestamptz, uuid } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"

const ReceiverRow = Schema.Struct({
  origin: Schema.String,
  openings: Schema.Int,
  heldUntil: Schema.NullOr(Schema.DateTimeUtc),
  closedAt: Schema.NullOr(Schema.DateTimeUtc),
  lastSuccessAt: Schema.NullOr(Schema.DateTimeUtc),
  lastFailureAt: Schema.NullOr(Schema.DateTimeUtc),
  lastFailureCause: Schema.NullOr(AttemptCause),
  lastFailureStatus: Schema.NullOr(Schema.Int),
  delivered: Schema.Int,
  failed: Schema.Int,
  waiting: Schema.Int,
  dead: Schema.Int
})

export const makeListReceivers = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  return Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly since: DateTime.Utc
    readonly limit: number
  }) {
    const { accountId, limit, since } = options
    const bucket = yield* buckets.of(accountId)
    const own = (table: string) =>
      sql`${sql(table)}.bucket = ${smallint(bucket)} AND ${sql(table)}.account_id = ${uuid(accountId)}`
    /** Receivers that a table has something of: each step is one probe of its index, for the first origin after the last. */
    const originsIn = (named: string, table: string) => {
      const first = (after: Fragment) => sql`
        SELECT q.origin FROM ${sql(table)} q WHERE ${own("q")} ${after} ORDER BY q.origin LIMIT 1`
      return sql`
        ${sql(named)} AS (
          SELECT first.origin, 1 AS place FROM (${first(sql``)}) AS first
          UNION ALL
          SELECT next.origin, w.place + 1
          FROM ${sql(named)} w
          CROSS JOIN LATERAL (${first(sql`AND q.origin > w.origin`)}) AS next
          WHERE w.place < ${integer(limit)}
        )`
    }
    const rows = yield* decoded(ReceiverRow)(sql`
      WITH RECURSIVE ${originsIn("waiting", "webhook_queue")},
      ${originsIn("dead", "webhook_dead")},
      -- Those that had trouble with their breaker.
      troubled AS (
        SELECT r.origin FROM webhook_receivers r WHERE ${own("r")} LIMIT ${integer(limit)}
      ),
      -- Those with recent attempts.
      used AS (
        SELECT a.origin FROM receiver_attempts a
        WHERE ${own("a")}
        ORDER BY a.latest_hour DESC
        LIMIT ${integer(limit)}
      )
      SELECT seen.origin, coalesce(r.openings, 0) AS openings, r.held_until AS "heldUntil", r.closed_at AS "closedAt",
        a.last_success_at AS "lastSuccessAt", a.last_failure_at AS "lastFailureAt",
        a.last_failure_cause AS "lastFailureCause", a.last_failure_status AS "lastFailureStatus",
        sums.delivered, sums.failed, (
          SELECT count(*)::integer
          FROM (
            SELECT FROM webhook_dead x
            WHERE ${own("x")} AND x.origin = seen.origin
            LIMIT ${integer(receiverCountsTo)}
          ) AS counted
        ) AS dead,
        (
          SELECT count(*)::integer
          FROM (
            SELECT FROM webhook_queue q
            WHERE ${own("q")} AND q.origin = seen.origin
            LIMIT ${integer(receiverCountsTo)}
          ) AS counted
        ) AS waiting
      FROM (
        SELECT origin FROM waiting
        UNION
        SELECT origin FROM troubled
        UNION
        SELECT origin FROM used
        UNION
        SELECT origin FROM dead
      ) AS seen
      LEFT JOIN LATERAL (
        SELECT * FROM webhook_receivers r WHERE ${own("r")} AND r.origin = seen.origin LIMIT 1
      ) AS r ON TRUE
      LEFT JOIN LATERAL (
        SELECT * FROM receiver_attempts a WHERE ${own("a")} AND a.origin = seen.origin LIMIT 1
      ) AS a ON TRUE
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(s.delivered), 0)::integer AS delivered, coalesce(sum(s.failed), 0)::integer AS failed
        FROM receiver_sums s
        WHERE ${own("s")} AND s.origin = seen.origin AND s.at >= ${timestamptz(since)}
      ) AS sums`)
    return rows.map(receiverOf)
  })
})

const receiverOf = ({
  closedAt,
  heldUntil,
  lastFailureAt,
  lastFailureCause,
  lastFailureStatus,
  openings,
  ...row
}: typeof ReceiverRow.Type): ReceiverRecord => ({
  ...row,
  state: { openings, heldUntil, closedAt },
  lastFailure: lastFailureAt && { at: lastFailureAt, cause: lastFailureCause, status: lastFailureStatus }
})
