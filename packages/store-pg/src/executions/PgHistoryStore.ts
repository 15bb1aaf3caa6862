/** What is kept of executions beside themselves, in PostgreSQL. */
import { DeliverySummary } from "@runhook/core/domain/delivery/Delivery"
import { aheadMax } from "@runhook/core/domain/execution/Explanation"
import { HistoryEvent } from "@runhook/core/domain/execution/HistoryEvent"
import { ExecutionId } from "@runhook/core/domain/Ids"
import { Progress } from "@runhook/core/domain/run/Progress"
import { ExecutionNotFound } from "@runhook/core/ports/ExecutionStore"
import { HistoryStore } from "@runhook/core/ports/HistoryStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { doubles, integers, texts, uuids } from "../sql/Arrays.ts"
import { Buckets } from "../accounts/Buckets.ts"
import { momentsOf, StoreClock } from "../clock/StoreClock.ts"
import { PointReads } from "../connections/PointReads.ts"
import { decoded, decodedFirst, idempotentOrDefect } from "../sql/SqlErrors.ts"
import type { ExecutionRef } from "../moves/PgRuns.ts"
import { ofDelivery } from "../deliveries/DeliveryRow.ts"
import { rowsOf } from "../rows/Rows.ts"
import { rowTable } from "../rows/RowTable.ts"

const KnownRow = Schema.Struct({ id: ExecutionId })
const AheadRow = Schema.Struct({ ahead: Schema.Int })

/** A delivery of an execution. */
const ownedTable = rowTable(
  ofDelivery,
  Schema.Struct({ ...DeliverySummary.fields, executionId: ExecutionId })
)

export const layer = Layer.effect(
  HistoryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const reads = yield* PointReads
    const buckets = yield* Buckets
    const clock = yield* StoreClock

    const bucketOf = Effect.fnUntraced(function* ({ accountId, id }: ExecutionRef) {
      const bucket = yield* buckets.of(accountId)
      const known = yield* decodedFirst(KnownRow)(reads`
        SELECT e.id FROM executions e
        WHERE e.bucket = ${bucket}::smallint AND e.id = ${id}::uuid AND e.account_id = ${accountId}::uuid`)
      return known === undefined ? yield* new ExecutionNotFound({ id }) : bucket
    })

    return HistoryStore.of({
      events: Effect.fnUntraced(function* (options) {
        const { after, id, limit } = options
        const bucket = yield* bucketOf(options)
        // Of what was queued when it was created, no first event is stored: its request says as much.
        return yield* decoded(HistoryEvent)(reads`
          SELECT v.number AS sequence, v.type, v.at, v.status, v.attempt
          FROM (
            SELECT 1 AS number, 'created' AS type, r.created_at AS at, 'queued' AS status, 0 AS attempt
            FROM execution_requests r
            WHERE r.bucket = ${bucket}::smallint AND r.id = ${id}::uuid AND ${after}::integer < 1
              AND NOT EXISTS (
                SELECT FROM execution_events v
                WHERE v.bucket = ${bucket}::smallint AND v.execution_id = ${id}::uuid AND v.number = 1
              )
            UNION ALL
            (
              SELECT v.number, v.type, v.at, v.status, v.attempt
              FROM execution_events v
              WHERE v.bucket = ${bucket}::smallint AND v.execution_id = ${id}::uuid
                AND v.number > ${after}::integer
              ORDER BY v.number
              LIMIT ${limit}::integer
            )
          ) AS v
          ORDER BY v.number
          LIMIT ${limit}::integer`)
      }, idempotentOrDefect),

      report: Effect.fnUntraced(function* ({ accountId, at, reports, sessionId }) {
        const bucket = yield* buckets.of(accountId)
        const { now } = momentsOf(sql, { at, clock })
        yield* sql`
          INSERT INTO execution_progress AS p (bucket, execution_id, percent, message, step, at)
          SELECT ${bucket}::smallint, held.id, held.percent, held.message, held.step, ${now}
          FROM (
            -- Who says two things at once means the last.
            SELECT DISTINCT ON (said.id) said.*
            FROM unnest(
              ${uuids(reports.map(({ executionId }) => executionId))}::uuid[],
              ${integers(reports.map(({ epoch }) => epoch))}::integer[],
              ${doubles(reports.map(({ percent }) => percent))}::float8[],
              ${texts(reports.map(({ message }) => message))}::text[],
              ${texts(reports.map(({ step }) => step))}::text[]
            ) WITH ORDINALITY AS said (id, epoch, percent, message, step, place)
            CROSS JOIN LATERAL (
              SELECT FROM executions e
              WHERE e.bucket = ${bucket}::smallint AND e.id = said.id AND e.account_id = ${accountId}::uuid
                AND e.epoch = said.epoch AND e.session_id = ${sessionId}::uuid AND e.slot IS NOT NULL
                AND e.status <> 'queued'
              LIMIT 1
            ) AS e
            -- Always in one order: two reports of one session would otherwise wait for each other.
            ORDER BY said.id, said.place DESC
          ) AS held
          ON CONFLICT (bucket, execution_id) DO UPDATE
            SET percent = excluded.percent, message = excluded.message, step = excluded.step, at = excluded.at`
      }, idempotentOrDefect),

      progress: Effect.fnUntraced(function* (ref) {
        const bucket = yield* bucketOf(ref)
        return yield* decodedFirst(Progress)(reads`
          SELECT p.percent, p.message, p.step, p.at
          FROM execution_progress p
          WHERE p.bucket = ${bucket}::smallint AND p.execution_id = ${ref.id}::uuid`)
      }, idempotentOrDefect),

      ahead: Effect.fnUntraced(function* (ref) {
        const bucket = yield* bucketOf(ref)
        const { now } = momentsOf(sql, { at: ref.at, clock })
        const isBefore = sql`(q.rank, q.due_at, q.execution_id) < (-e.priority, e.due_at, e.id)`
        const row = yield* decodedFirst(AheadRow)(sql`
          SELECT (
            SELECT count(*)::integer
            FROM (
              SELECT FROM ready_queue q
              WHERE q.bucket = ${bucket}::smallint AND q.agent_id = e.agent_id AND ${isBefore}
              UNION ALL
              SELECT FROM delayed_queue q
              WHERE q.bucket = ${bucket}::smallint AND q.agent_id = e.agent_id AND q.due_at <= ${now}
                AND ${isBefore}
              LIMIT ${aheadMax}::integer
            ) AS before
          ) AS ahead
          FROM executions e
          WHERE e.bucket = ${bucket}::smallint AND e.id = ${ref.id}::uuid AND e.status = 'queued'
            AND e.slot IS NULL`)
        return row?.ahead ?? 0
      }, idempotentOrDefect),

      deliveriesOf: Effect.fnUntraced(function* ({ accountId, ids }) {
        const bucket = yield* buckets.of(accountId)
        // The offset keeps the account out of the choice of the index: an execution has few deliveries.
        const rows = yield* rowsOf(ownedTable)(sql`
          SELECT ${sql.literal(ownedTable.columns)}
          FROM unnest(${uuids(ids)}::uuid[]) AS asked (id)
          CROSS JOIN LATERAL (
            SELECT * FROM webhook_deliveries d
            WHERE d.bucket = ${bucket}::smallint AND d.execution_id = asked.id
            OFFSET 0
          ) AS d
          WHERE d.account_id = ${accountId}::uuid
          ORDER BY d.revision, d.id`)
        return Map.groupBy(rows, ({ executionId }) => executionId)
      }, idempotentOrDefect)
    })
  })
)
