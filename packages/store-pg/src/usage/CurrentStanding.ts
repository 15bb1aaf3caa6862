/** The current standing of an account: each number comes from an index, and is counted only up to a bound. */
import type { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import type { AccountId, ApiKeyId } from "@runhook/core/shared/Ids"
import { presence } from "@runhook/core/runs/sessions/RunnerSession"
import { countsTo } from "@runhook/core/usage/UsageCounts"
import type { KeyLoad } from "@runhook/core/usage/UsageStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { heldBy, inStatus } from "../executions/list/SlotHolders.ts"
import { ofStatus } from "../executions/list/ListNumbers.ts"
import { integer, smallint, text, uuid } from "../sql/Parameters.ts"
import { decodedFirst } from "../sql/SqlErrors.ts"

const StandingRow = Schema.Struct({
  running: Schema.Int,
  slots: Schema.Int,
  queued: Schema.Int,
  needsInput: Schema.Int,
  oldestQueuedAt: Schema.NullOr(Schema.DateTimeUtc),
  runners: Schema.Int,
  draining: Schema.Int,
  waitingDeliveries: Schema.Int,
  deadLetters: Schema.Int
})

const LoadRow = Schema.Struct({ waitingDeliveries: Schema.Int, liveExecutions: Schema.Int })

/** Queued executions that are searched for the one that has been due longest: the first ones may all be deferred. */
const oldestSeen = 1_000

export const makeCurrentStanding = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const timeSqlAt = yield* makeTimeSqlAt

  const standing = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly at: DateTime.Utc
  }) {
    const { accountId, at } = options
    const bucket = yield* buckets.of(accountId)
    const timeSql = timeSqlAt(at)
    /** A list of the account by status, as rows `s`. */
    const list = (status: ExecutionStatus) => sql`
      SELECT ${uuid(accountId)} AS account_id, ${text(status)} AS status`
    const isListed = sql`${sql.literal(`${ofStatus("s")} = ${ofStatus("asked")}`)} AND ${buckets.within(bucket)("s")}`
    const listed = (status: ExecutionStatus, most: Fragment) => sql`(
      SELECT count(*)::integer
      FROM (
        SELECT FROM (${list(status)}) AS asked JOIN execution_status s ON ${isListed} LIMIT ${most}
      ) AS counted
    )`
    const inTable = (table: string) => sql`(
      SELECT count(*)::integer
      FROM (
        SELECT FROM ${sql(table)} t
        WHERE t.bucket = ${smallint(bucket)} AND t.account_id = ${uuid(accountId)}
        LIMIT ${integer(countsTo)}
      ) AS counted
    )`
    const row = yield* decodedFirst(StandingRow)(sql`
      -- Running executions: they hold slots, and slots are few.
      WITH held AS (
        SELECT count(*)::integer AS running
        FROM (${heldBy(sql, { accountId, bucket })}) AS h
        ${inStatus(sql, { bucket, id: "h.execution_id", statuses: ["running"] })}
      )
      SELECT least((SELECT running FROM held), ${integer(countsTo)}) AS running,
        -- Running executions are listed with queued ones.
        ${listed("queued", sql`${integer(countsTo)} + (SELECT running FROM held)`)} - (SELECT running FROM held) AS queued,
        ${listed("awaiting_input", sql`${integer(countsTo)}`)} AS "needsInput",
        (
          SELECT coalesce(sum(capacity), 0)::integer
          FROM (
            SELECT capacity FROM agents a
            WHERE a.bucket = ${smallint(bucket)} AND a.account_id = ${uuid(accountId)}
            LIMIT ${integer(countsTo)}
          ) AS counted
        ) AS slots,
        (
          SELECT min(oldest.due_at)
          FROM (${list("queued")}) AS asked
          CROSS JOIN LATERAL (
            SELECT e.slot, e.due_at
            FROM execution_status s
            ${inStatus(sql, { bucket, id: "s.execution_id", statuses: ["queued"] })}
            WHERE ${isListed}
            ORDER BY s.execution_id
            LIMIT ${integer(oldestSeen)}
          ) AS oldest
          WHERE oldest.slot IS NULL AND oldest.due_at <= ${timeSql.now}
        ) AS "oldestQueuedAt",
        present.runners, present.draining,
        ${inTable("webhook_queue")} AS "waitingDeliveries", ${inTable("webhook_dead")} AS "deadLetters"
      FROM (
        SELECT count(*)::integer AS runners, (count(*) FILTER (WHERE is_draining))::integer AS draining
        FROM (
          SELECT is_draining FROM runner_sessions s
          WHERE s.bucket = ${smallint(bucket)} AND s.account_id = ${uuid(accountId)}
            AND s.last_seen_at > ${timeSql.before(presence)}
          LIMIT ${integer(countsTo)}
        ) AS counted
      ) AS present`)
    const found = row ?? (yield* Effect.die(new Error("A look at an account saw nothing at all")))
    return found
  })

  /** Finds waiting deliveries of a key among those of the account, of which it looks at a bounded number. */
  const keyLoad = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly id: ApiKeyId
  }) {
    const { accountId, id } = options
    const bucket = yield* buckets.of(accountId)
    const row = yield* decodedFirst(LoadRow)(sql`
      SELECT
        (
          SELECT count(*)::integer
          FROM (
            SELECT delivery_id FROM webhook_queue q
            WHERE q.bucket = ${smallint(bucket)} AND q.account_id = ${uuid(accountId)}
            LIMIT ${integer(countsTo)}
          ) AS waiting
          CROSS JOIN LATERAL (
            SELECT FROM webhook_deliveries d
            WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)}
              AND d.id = waiting.delivery_id AND d.api_key_id = ${uuid(id)}
            LIMIT 1
          ) AS d
        ) AS "waitingDeliveries",
        coalesce(
          (
            SELECT live FROM live_counts c
            WHERE c.bucket = ${smallint(bucket)} AND c.account_id = ${uuid(accountId)} AND c.api_key_id = ${uuid(id)}
          ), 0
        ) - (
          SELECT count(*)::integer
          FROM (
            SELECT api_key_id FROM live_releases r
            WHERE r.bucket = ${smallint(bucket)} AND r.account_id = ${uuid(accountId)}
            LIMIT ${integer(countsTo)}
          ) AS released
          WHERE released.api_key_id = ${uuid(id)}
        ) AS "liveExecutions"`)
    const load: KeyLoad = row ?? { waitingDeliveries: 0, liveExecutions: 0 }
    return load
  })

  return { keyLoad, standing }
})
