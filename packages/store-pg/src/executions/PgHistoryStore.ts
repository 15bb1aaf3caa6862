/** The history, progress and deliveries of executions in PostgreSQL. */
import { DeliverySummary } from "@runhook/core/deliveries/Delivery"
import { aheadMax } from "@runhook/core/executions/history/Explanation"
import { HistoryEvent } from "@runhook/core/executions/history/HistoryEvent"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { Progress } from "@runhook/core/runs/Progress"
import { ExecutionNotFound } from "@runhook/core/shared/Refusals"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { makeLookByBucket } from "../database/Nodes.ts"
import { ofDelivery } from "../deliveries/DeliveryRow.ts"
import type { ExecutionRef } from "../runs/moves/PgRuns.ts"
import { rowsOf } from "../rows/Rows.ts"
import { rowTable } from "../rows/RowTable.ts"
import { float8, integer, smallint, text, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded, decodedFirst, idempotentOrDefect, inOneTransaction } from "../sql/SqlErrors.ts"
import { makeLogs } from "./Logs.ts"

const KnownRow = Schema.Struct({ id: ExecutionId })
const SeatsRow = Schema.Struct({ taken: Schema.Int })
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
    const buckets = yield* Buckets
    const timeSqlAt = yield* makeTimeSqlAt
    const lookByBucket = yield* makeLookByBucket
    const atomic = inOneTransaction(sql)
    const logs = yield* makeLogs

    const bucketOf = Effect.fnUntraced(function* ({ accountId, id }: ExecutionRef) {
      const bucket = yield* buckets.of(accountId)
      const known = yield* decodedFirst(KnownRow)(sql`
        SELECT e.id FROM executions e
        WHERE e.bucket = ${smallint(bucket)} AND e.id = ${uuid(id)} AND e.account_id = ${uuid(accountId)}`)
      return known === undefined ? yield* new ExecutionNotFound({ id }) : bucket
    })

    return HistoryStore.of({
      events: Effect.fnUntraced(function* (options) {
        const { after, id, limit } = options
        const bucket = yield* bucketOf(options)
        // No first event is stored for an execution that was queued at once: its request says as much.
        return yield* decoded(HistoryEvent)(sql`
          SELECT v.number AS sequence, v.type, v.at, v.status, v.attempt
          FROM (
            SELECT 1 AS number, 'created' AS type, r.created_at AS at, 'queued' AS status, 0 AS attempt
            FROM execution_requests r
            WHERE r.bucket = ${smallint(bucket)} AND r.id = ${uuid(id)} AND ${integer(after)} < 1
              AND NOT EXISTS (
                SELECT FROM execution_events v
                WHERE v.bucket = ${smallint(bucket)} AND v.execution_id = ${uuid(id)} AND v.number = 1
              )
            UNION ALL
            (
              SELECT v.number, v.type, v.at, v.status, v.attempt
              FROM execution_events v
              WHERE v.bucket = ${smallint(bucket)} AND v.execution_id = ${uuid(id)}
                AND v.number > ${integer(after)}
              ORDER BY v.number
              LIMIT ${integer(limit)}
            )
          ) AS v
          ORDER BY v.number
          LIMIT ${integer(limit)}`)
      }, idempotentOrDefect),

      changedSince: Effect.fnUntraced(function* (known) {
        const found = yield* buckets.placed(known)
        const changed = yield* lookByBucket(
          found,
          (within, group) =>
            decoded(KnownRow)(sql`
            SELECT seen.id
            FROM ${rows("seen", group, {
              bucket: smallint(({ bucket }) => bucket),
              id: uuid(({ id }) => id),
              account_id: uuid(({ accountId }) => accountId),
              after: integer(({ after }) => after),
              after_line: integer(({ afterLine }) => afterLine ?? null),
              artifacts: integer(({ artifacts }) => artifacts ?? null),
              reported_at: timestamptz(({ reportedAt }) => reportedAt ?? null)
            })}
            LEFT JOIN LATERAL (
              SELECT e.revision FROM executions e
              WHERE e.bucket = seen.bucket AND ${within("e")} AND e.id = seen.id AND e.account_id = seen.account_id
              LIMIT 1
            ) AS e ON TRUE
            WHERE e.revision IS NULL OR e.revision > seen.after OR EXISTS (
              SELECT FROM execution_logs l
              WHERE l.bucket = seen.bucket AND ${within("l")} AND l.execution_id = seen.id AND l.sequence > seen.after_line
              OFFSET 0
            ) OR seen.artifacts <> CASE WHEN seen.artifacts IS NOT NULL THEN (
              SELECT count(*) FROM artifacts a
              WHERE a.bucket = seen.bucket AND ${within("a")} AND a.execution_id = seen.id AND a.is_ready
            ) END OR seen.reported_at <> CASE WHEN seen.reported_at IS NOT NULL THEN (
              SELECT p.at FROM execution_progress p
              WHERE p.bucket = seen.bucket AND ${within("p")} AND p.execution_id = seen.id
            ) END`),
          (lost) => lost
        )
        return changed.map(({ id }) => id)
      }, idempotentOrDefect),

      report: Effect.fnUntraced(function* ({ accountId, at, reports, sessionId }) {
        const bucket = yield* buckets.of(accountId)
        const { now } = timeSqlAt(at)
        yield* sql`
          INSERT INTO execution_progress AS p (bucket, execution_id, percent, message, step, at)
          -- Citus sends it to one node as a whole because the bucket is the execution's own, not a parameter.
          SELECT held.bucket, held.id, held.percent, held.message, held.step, ${now}
          FROM (
            -- Of two reports on one execution, the last counts.
            SELECT DISTINCT ON (said.id) e.bucket, said.*
            FROM ${rows(
              "said",
              reports.map((report, place) => ({ ...report, place })),
              {
                id: uuid(({ executionId }) => executionId),
                epoch: integer(({ epoch }) => epoch),
                percent: float8(({ percent }) => percent),
                message: text(({ message }) => message),
                step: text(({ step }) => step),
                place: integer(({ place }) => place)
              }
            )}
            CROSS JOIN LATERAL (
              SELECT e.bucket FROM executions e
              WHERE e.bucket = ${smallint(bucket)} AND e.id = said.id AND e.account_id = ${uuid(accountId)}
                AND e.epoch = said.epoch AND e.session_id = ${uuid(sessionId)} AND e.slot IS NOT NULL
                AND e.status <> 'queued'
              LIMIT 1
            ) AS e
            -- Always in one order, so that two reports of one session do not wait for each other.
            ORDER BY said.id, said.place DESC
          ) AS held
          ON CONFLICT (bucket, execution_id) DO UPDATE
            SET percent = excluded.percent, message = excluded.message, step = excluded.step, at = excluded.at`
      }, idempotentOrDefect),

      log: flow(logs.append, atomic),

      lines: Effect.fnUntraced(function* ({ after, limit, ...ref }) {
        return yield* logs.read({ after, id: ref.id, limit, bucket: yield* bucketOf(ref) })
      }, idempotentOrDefect),

      progress: Effect.fnUntraced(function* (ref) {
        const bucket = yield* bucketOf(ref)
        return yield* decodedFirst(Progress)(sql`
          SELECT p.percent, p.message, p.step, p.at
          FROM execution_progress p
          WHERE p.bucket = ${smallint(bucket)} AND p.execution_id = ${uuid(ref.id)}`)
      }, idempotentOrDefect),

      ahead: Effect.fnUntraced(function* (ref) {
        const bucket = yield* bucketOf(ref)
        const { now } = timeSqlAt(ref.at)
        const isBefore = sql`(q.rank, q.due_at, q.execution_id) < (-e.priority, e.due_at, e.id)`
        const row = yield* decodedFirst(AheadRow)(sql`
          SELECT (
            SELECT count(*)::integer
            FROM (
              SELECT FROM ready_queue q
              WHERE q.bucket = ${smallint(bucket)} AND q.agent_id = e.agent_id AND ${isBefore}
              UNION ALL
              SELECT FROM delayed_queue q
              WHERE q.bucket = ${smallint(bucket)} AND q.agent_id = e.agent_id AND q.due_at <= ${now}
                AND ${isBefore}
              LIMIT ${integer(aheadMax)}
            ) AS before
          ) AS ahead
          FROM executions e
          WHERE e.bucket = ${smallint(bucket)} AND e.id = ${uuid(ref.id)} AND e.status = 'queued'
            AND e.slot IS NULL`)
        return row?.ahead ?? 0
      }, idempotentOrDefect),

      seatsTaken: Effect.fnUntraced(function* ({ accountId, id }) {
        const bucket = yield* buckets.of(accountId)
        const row = yield* decodedFirst(SeatsRow)(sql`
          SELECT (
            SELECT count(*)::integer FROM concurrency_seats s
            WHERE s.bucket = ${smallint(bucket)} AND s.account_id = q.account_id AND s.key = q.key AND NOT s.is_left
          ) AS taken
          FROM concurrency_queue q
          WHERE q.bucket = ${smallint(bucket)} AND q.execution_id = ${uuid(id)} AND q.account_id = ${uuid(accountId)}
            AND q.look_at IS DISTINCT FROM 'infinity'`)
        return row?.taken ?? null
      }, idempotentOrDefect),

      deliveriesOf: Effect.fnUntraced(function* ({ accountId, ids }) {
        const bucket = yield* buckets.of(accountId)
        // OFFSET hides the account from the choice of the index: an execution has few deliveries.
        const found = yield* rowsOf(ownedTable)(sql`
          SELECT ${sql.literal(ownedTable.columns)}
          FROM unnest(${uuids(ids)}) AS asked (id)
          CROSS JOIN LATERAL (
            SELECT * FROM webhook_deliveries d
            WHERE d.bucket = ${smallint(bucket)} AND d.execution_id = asked.id
            OFFSET 0
          ) AS d
          WHERE d.account_id = ${uuid(accountId)} AND d.endpoint_id IS NULL
          ORDER BY d.revision, d.id`)
        return Map.groupBy(found, ({ executionId }) => executionId)
      }, idempotentOrDefect)
    })
  })
)
