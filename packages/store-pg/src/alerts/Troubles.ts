/** What is wrong in all accounts: plain looks over all buckets that lock nothing, each of bounded length. */
import {
  type AlertKind,
  endsMin,
  namedMax,
  type Trouble,
  troubleCountsTo,
  unservedFor
} from "@runhook/core/alerts/Alert"
import { AccountId } from "@runhook/core/shared/Ids"
import { presence } from "@runhook/core/runs/sessions/RunnerSession"
import { beginningOf } from "@runhook/core/usage/UsageCounts"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import type { Within } from "../accounts/Buckets.ts"
import { makeLook } from "../database/Nodes.ts"
import { integer, timestamptz } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { makeWaitingWork } from "../usage/WaitingWork.ts"

const TroubleRow = Schema.Struct({
  accountId: AccountId,
  subject: Schema.String,
  name: Schema.String,
  count: Schema.Int,
  since: Schema.NullOr(Schema.DateTimeUtc)
})

export const makeTroubles = Effect.gen(function* () {
  const sql = yield* SqlClient
  const look = yield* makeLook
  const timeSqlAt = yield* makeTimeSqlAt
  const waitingWork = yield* makeWaitingWork
  const most = integer(troubleCountsTo)

  /** Of each account the worst, and of all accounts those first that have the fewest before them. */
  const named = (troubles: Fragment) => sql`
    SELECT n.account_id AS "accountId", n.subject, n.name, n.count, n.since
    FROM (
      SELECT t.*, row_number() OVER (PARTITION BY t.bucket, t.account_id ORDER BY t.count DESC, t.subject) AS nth
      FROM (${troubles}) AS t
    ) AS n
    WHERE n.nth <= ${integer(namedMax.ofAccount)}
    ORDER BY n.nth, n.account_id, n.subject
    LIMIT ${integer(namedMax.ofAll)}`

  const deadLetters = (at: DateTime.Utc) => (within: Within) =>
    sql`
    SELECT u.bucket, u.account_id, '' AS subject, coalesce(o.names, '') AS name, u.dead AS count,
      NULL::timestamptz AS since
    FROM (
      SELECT u.bucket, u.account_id, sum(u.dead)::integer AS dead
      FROM usage_sums u
      WHERE u.span = 'hour' AND u.at >= ${timestamptz(hourBefore(at))} AND u.subject = 'account' AND u.dead > 0
        AND ${within("u")}
      GROUP BY u.bucket, u.account_id
    ) AS u
    -- The receivers that have most of them.
    CROSS JOIN LATERAL (
      SELECT string_agg(worst.origin || ' (' || worst.dead || ')', ', ' ORDER BY worst.dead DESC, worst.origin) AS names
      FROM (
        SELECT d.origin, count(*) AS dead
        FROM (
          SELECT d.origin FROM webhook_dead d
          WHERE d.bucket = u.bucket AND d.account_id = u.account_id AND ${within("d")}
          LIMIT ${most}
        ) AS d
        GROUP BY d.origin
        ORDER BY count(*) DESC, d.origin
        LIMIT 3
      ) AS worst
    ) AS o`

  const heldReceivers = (at: DateTime.Utc) => (within: Within) =>
    sql`
    SELECT r.bucket, r.account_id, r.origin AS subject, r.origin AS name, w.waiting AS count,
      NULL::timestamptz AS since
    FROM webhook_receivers r
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS waiting
      FROM (
        SELECT FROM webhook_queue q
        WHERE q.bucket = r.bucket AND q.account_id = r.account_id AND q.origin = r.origin AND ${within("q")}
        LIMIT ${most}
      ) AS counted
    ) AS w
    WHERE (r.openings > 0 OR r.held_until > ${timeSqlAt(at).now}) AND w.waiting > 0 AND ${within("r")}`

  const unservedAgents = (at: DateTime.Utc) => (within: Within) => {
    const timeSql = timeSqlAt(at)
    return sql`
      SELECT a.bucket, a.account_id, a.id::text AS subject, a.name, w.executions AS count, w.due_at AS since
      FROM agents a
      CROSS JOIN LATERAL (${waitingWork({ timeSql, within, countsTo: troubleCountsTo })}) AS w
      WHERE a.state = 'active' AND w.executions > 0 AND w.due_at <= ${timeSql.before(unservedFor)} AND ${within("a")}
        AND NOT EXISTS (
          SELECT FROM runner_sessions s
          WHERE s.bucket = a.bucket AND s.account_id = a.account_id AND s.last_seen_at > ${timeSql.before(presence)}
            AND NOT s.is_draining AND s.drain_requested_at IS NULL
            AND (s.agent_ids IS NULL OR a.id = ANY (s.agent_ids)) AND ${within("s")}
        )`
  }

  /** The rule is `isFailing` of the core. */
  const failingTasks = (at: DateTime.Utc) => (within: Within) =>
    sql`
    SELECT e.bucket, e.account_id, e.task_id::text AS subject, t.name, (e.failed + e.failed_before)::integer AS count,
      NULL::timestamptz AS since
    FROM (
      SELECT u.bucket, u.account_id, u.subject_id AS task_id,
        coalesce(sum(u.failed) FILTER (WHERE u.at >= ${timestamptz(beginningOf("hour", at))}), 0) AS failed,
        coalesce(sum(u.completed) FILTER (WHERE u.at >= ${timestamptz(beginningOf("hour", at))}), 0) AS completed,
        coalesce(sum(u.failed) FILTER (WHERE u.at < ${timestamptz(beginningOf("hour", at))}), 0) AS failed_before,
        coalesce(sum(u.completed) FILTER (WHERE u.at < ${timestamptz(beginningOf("hour", at))}), 0) AS completed_before
      FROM usage_sums u
      WHERE u.span = 'hour' AND u.at >= ${timestamptz(hourBefore(at))} AND u.subject = 'task' AND ${within("u")}
      GROUP BY u.bucket, u.account_id, u.subject_id
    ) AS e
    JOIN tasks t ON t.bucket = e.bucket AND t.account_id = e.account_id AND t.id = e.task_id AND ${within("t")}
    WHERE CASE
      WHEN e.failed + e.completed >= ${integer(endsMin)} THEN e.failed * 2 >= e.failed + e.completed
      ELSE e.failed + e.completed + e.failed_before + e.completed_before >= ${integer(endsMin)}
        AND (e.failed + e.failed_before) * 2 >= e.failed + e.completed + e.failed_before + e.completed_before
    END`

  return Effect.fnUntraced(function* (at: DateTime.Utc) {
    const found = (kind: AlertKind, troubles: (within: Within) => Fragment) =>
      Effect.map(
        look((within) => decoded(TroubleRow)(named(troubles(within)))),
        ({ found: rows, isWhole }) => ({ isWhole, troubles: rows.map((row): Trouble => ({ kind, ...row })) })
      )
    // One after the other: a look is no reason to take several connections.
    const looks = yield* Effect.all([
      found("dead_letters", deadLetters(at)),
      found("receiver_held", heldReceivers(at)),
      found("no_runner", unservedAgents(at)),
      found("failing_rate", failingTasks(at))
    ])
    return {
      troubles: looks.flatMap((each) => each.troubles),
      isWhole: looks.every(({ isWhole }) => isWhole)
    }
  })
})

const hourBefore = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.subtract(beginningOf("hour", at), { hours: 1 })
