/** Schedules in PostgreSQL. */
import { AccountId, ScheduleId } from "@runhook/core/shared/Ids"
import { Schedule } from "@runhook/core/schedules/Schedule"
import {
  ScheduleLimitReached,
  ScheduleNotFound,
  type ScheduleRef,
  ScheduleStore
} from "@runhook/core/schedules/ScheduleStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { byBucket } from "../accounts/EachBucket.ts"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { byCallersClock, makeTimeSqlAt } from "../clock/StoreClock.ts"
import { makeLook } from "../database/Nodes.ts"
import { both, rowTable } from "../rows/RowTable.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"
import { takeTurn } from "../engine/Transactions.ts"
import { newest, foundField, pageWithin, withinBytes } from "../sql/Paging.ts"
import { integer, smallint, uuid, uuids } from "../sql/Parameters.ts"
import { inserting, setting } from "../sql/Records.ts"
import {
  decoded,
  decodedFirst,
  idempotentOrDefect,
  inOneTransaction,
  upkeepOrDefect
} from "../sql/SqlErrors.ts"
import { makeFireSchedules } from "./FireSchedules.ts"
import { scheduleColumns, scheduleTable } from "./ScheduleRow.ts"

/** Schedules among which accounts take turns. */
const seenMax = 1_000

const CountRow = Schema.Struct({ count: Schema.Int })
const NextRow = Schema.Struct({ now: Schema.DateTimeUtc, wakeAt: Schema.NullOr(Schema.DateTimeUtc) })
const DueRow = Schema.Struct({ bucket: Schema.Int, accountId: AccountId, id: ScheduleId })

const paged = { ...scheduleColumns, found: "found" }
const listed = both(
  rowTable(paged, Schedule),
  rowTable(paged, Schema.Struct(foundField)),
  (schedule, page) => ({ schedule, ...page })
)

export const layer = Layer.effect(
  ScheduleStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const buckets = yield* Buckets
    const note = yield* makeNote
    const look = yield* makeLook
    const timeSqlAt = yield* makeTimeSqlAt
    const fire = yield* makeFireSchedules
    const columns = sql.literal(scheduleTable.columns)

    const find = Effect.fnUntraced(function* ({ accountId, id }: ScheduleRef, lock: Fragment) {
      const bucket = yield* buckets.of(accountId)
      const schedule = yield* firstOf(scheduleTable)(sql`
        SELECT ${columns}
        FROM schedules s
        WHERE s.bucket = ${smallint(bucket)} AND s.account_id = ${uuid(accountId)} AND s.id = ${uuid(id)}
        ${lock}`)
      return schedule ?? (yield* new ScheduleNotFound({ id }))
    })

    return ScheduleStore.of({
      create: Effect.fnUntraced(function* (schedule, { audit, limit }) {
        const { accountId } = schedule
        const bucket = yield* buckets.of(accountId)
        // Those who add schedules of an account at the same time wait for each other.
        yield* takeTurn(sql, "schedules", accountId)
        const own = yield* decodedFirst(CountRow)(sql`
          SELECT count(*)::integer AS count
          FROM (
            SELECT FROM schedules s
            WHERE s.bucket = ${smallint(bucket)} AND s.account_id = ${uuid(accountId)}
            LIMIT ${integer(limit)}
          ) AS own`)
        if ((own?.count ?? 0) >= limit) return yield* new ScheduleLimitReached({ limit })
        yield* sql`
          INSERT INTO schedules ${inserting(sql, "schedules", { bucket, ...schedule })}`
        yield* note(audit?.(schedule))
      }, atomic),

      get: (ref) => idempotentOrDefect(find(ref, sql``)),

      list: Effect.fnUntraced(function* (accountId, page) {
        const bucket = yield* buckets.of(accountId)
        const found = sql`
          SELECT ${sql.literal(scheduleTable.columns.replace("::text", ""))}, octet_length(s.request::text) AS bytes
          FROM schedules s
          WHERE s.bucket = ${smallint(bucket)} AND s.account_id = ${uuid(accountId)} AND ${newest(sql, "s.id", page)}`
        const weighed = yield* rowsOf(listed)(
          withinBytes(sql, { rows: found, names: listed.names, asText: ["request"] }, page)
        )
        const { hasMore, items } = pageWithin(weighed, page)
        return { items: items.map(({ schedule }) => schedule), hasMore }
      }, idempotentOrDefect),

      change: (ref, { audit, change }) =>
        Effect.gen(function* () {
          const before = yield* find(ref, sql`FOR UPDATE`)
          const after = yield* Effect.fromResult(change(before))
          const bucket = yield* buckets.of(ref.accountId)
          yield* sql`
            UPDATE schedules s SET ${setting(sql, "schedules", after)}
            WHERE s.bucket = ${smallint(bucket)} AND s.account_id = ${uuid(ref.accountId)} AND s.id = ${uuid(ref.id)}`
          yield* note(audit?.(before, after))
          return after
        }).pipe(atomic),

      remove: Effect.fnUntraced(function* (ref, { audit, check = () => Result.void } = {}) {
        const schedule = yield* find(ref, sql`FOR UPDATE`)
        yield* Effect.fromResult(check(schedule))
        const bucket = yield* buckets.of(ref.accountId)
        yield* sql`
          DELETE FROM schedules
          WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(ref.accountId)} AND id = ${uuid(ref.id)}`
        yield* note(audit?.(schedule))
      }, atomic),

      nextWakeAt: Effect.fnUntraced(function* (at) {
        const { found } = yield* look((within) =>
          decoded(NextRow)(sql`
            SELECT ${timeSqlAt(at).now} AS now, min(s.wake_at) AS "wakeAt"
            FROM schedules s
            WHERE s.wake_at IS NOT NULL AND ${within("s")}`)
        )
        const times = found.flatMap(({ wakeAt }) => wakeAt ?? [])
        const next = Array.isReadonlyArrayNonEmpty(times) ? Array.min(times, DateTime.Order) : null
        return byCallersClock(next, { now: found[0]?.now ?? at, at })
      }, upkeepOrDefect),

      claimDue: Effect.fnUntraced(function* ({ at, limit, until }) {
        const { after, now } = timeSqlAt(at)
        const { found: due } = yield* look((within) =>
          decoded(DueRow)(sql`
            SELECT due.bucket, due.account_id AS "accountId", due.id
            FROM (
              SELECT first.*, row_number() OVER (PARTITION BY first.account_id ORDER BY first.wake_at, first.id) AS turn
              FROM (
                SELECT s.bucket, s.account_id, s.id, s.wake_at
                FROM schedules s
                WHERE s.wake_at <= ${now} AND ${within("s")}
                ORDER BY s.wake_at
                LIMIT ${integer(seenMax)}
              ) AS first
            ) AS due
            ORDER BY due.turn, due.wake_at
            LIMIT ${integer(limit)}`)
        )
        const claimed: globalThis.Array<Schedule> = []
        for (const ofBucket of byBucket(due)) {
          const bucket = smallint(ofBucket[0].bucket)
          const accounts = uuids(ofBucket.map(({ accountId }) => accountId))
          const ids = uuids(ofBucket.map(({ id }) => id))
          claimed.push(
            ...(yield* rowsOf(scheduleTable)(sql`
              -- Those that nobody else has claimed meanwhile, locked.
              WITH free AS (
                SELECT account_id, id
                FROM schedules
                WHERE bucket = ${bucket} AND account_id = ANY (${accounts}) AND id = ANY (${ids})
                  AND greatest(wake_at) <= ${now}
                FOR UPDATE SKIP LOCKED
              )
              UPDATE schedules s
              SET wake_at = ${after(DateTime.distance(at, until))}, revision = s.revision + 1
              FROM free
              WHERE s.bucket = ${bucket} AND s.account_id = ANY (${accounts}) AND s.id = ANY (${ids})
                AND s.account_id = free.account_id AND s.id = free.id
              RETURNING ${columns}`))
          )
        }
        return claimed
      }, upkeepOrDefect),

      fire
    })
  })
)
