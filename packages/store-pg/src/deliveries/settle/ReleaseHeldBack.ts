/**
 * Releases deliveries that waited for an earlier event of their execution.
 * Whoever ends the turn of an event releases after that is committed, and
 * whoever puts one off looks again after that is committed: so one of the two
 * sees what the other did, and neither needs a lock on the other.
 */
import { ExecutionId } from "@runhook/core/domain/Ids"
import { CallbackOrder } from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Number from "effect/Number"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeMomentsAt } from "../../clock/StoreClock.ts"
import { PointReads } from "../../connections/PointReads.ts"
import { integer, smallint, uuid, uuids } from "../../sql/Parameters.ts"
import { fixedRows } from "../../sql/Rows.ts"
import { decoded } from "../../sql/SqlErrors.ts"
import { statement, fixed } from "../../sql/Statement.ts"
import { hasUsedUpTurn, troubleEnd } from "../queue/EventOrder.ts"
import { originOf } from "../queue/Origins.ts"

/** Executions of which turns of events have ended. */
interface Ended {
  readonly bucket: number
  readonly executionIds: ReadonlyArray<ExecutionId | null>
}

interface EndedTurns {
  readonly turns: ReadonlyArray<{ readonly bucket: number; readonly executionId: ExecutionId }>
}

const WaitingRow = Schema.Struct({ bucket: Schema.Int, executionId: ExecutionId })

/** Which of them have events that were never sent. */
const findHeldBack = statement(fixed<EndedTurns>`
  SELECT a.bucket, a.execution_id AS "executionId"
  FROM ${fixedRows("a", ({ turns }: EndedTurns) => turns, {
    bucket: integer(({ bucket }) => bucket),
    execution_id: uuid(({ executionId }) => executionId)
  })}
  CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.bucket = a.bucket AND d.execution_id = a.execution_id
      AND d.state = 'pending' AND d.round = 1 AND d.attempts = 0
    LIMIT 1
  ) AS d`)

/** Buckets that are written at the same time. */
const bucketsAtOnce = 4

export const makeReleaseHeldBack = Effect.gen(function* () {
  const sql = yield* SqlClient
  const reads = yield* PointReads
  const order = yield* CallbackOrder
  const momentsAt = yield* makeMomentsAt

  /** Makes the delivery of each execution whose turn it is due, if it was put off; answers how many. In no transaction. */
  const release = Effect.fnUntraced(function* (options: {
    readonly bucket: number
    readonly executionIds: ReadonlyArray<ExecutionId | null>
    readonly at: DateTime.Utc
  }) {
    const { at, bucket } = options
    const executionIds = Array.dedupe(options.executionIds.flatMap((id) => id ?? []))
    if (order === "none" || executionIds.length === 0) return 0
    const released = yield* sql`
      -- What counts as now, carried through the statement.
      WITH moment AS MATERIALIZED (SELECT ${momentsAt(at).now} AS at),
      -- Of each execution the pending event whose turn it is: the first that has not used up its turn, if it was never sent,
      -- and when it may be due.
      next AS (
        SELECT d.account_id, d.id, d.url, d.next_attempt_at,
          -- What passes others that are pending waits until their receiver has recovered.
          CASE WHEN d.place > 1 THEN greatest(moment.at, d.trouble_end) ELSE moment.at END AS due_at
        FROM moment
        CROSS JOIN unnest(${uuids(executionIds)}) AS asked (execution_id)
        CROSS JOIN LATERAL (
          SELECT *
          FROM (
            SELECT e.account_id, e.id, e.url, e.next_attempt_at, e.attempts,
              row_number() OVER (ORDER BY e.revision, e.id) AS place,
              ${hasUsedUpTurn(sql, { bucket, order })} AS has_used_up_turn, ${troubleEnd(sql)} AS trouble_end
            FROM webhook_deliveries e
            LEFT JOIN LATERAL (
              SELECT * FROM webhook_receivers r
              WHERE r.bucket = ${smallint(bucket)} AND r.account_id = e.account_id
                AND r.origin = ${originOf(sql, "e.url")}
              LIMIT 1
            ) AS r ON TRUE
            WHERE e.bucket = ${smallint(bucket)} AND e.execution_id = asked.execution_id
              AND e.state = 'pending' AND e.round = 1
          ) AS pending
          WHERE NOT has_used_up_turn
          ORDER BY place
          LIMIT 1
        ) AS d
        WHERE d.attempts = 0
      ),
      -- Those that wait for longer than they have to, locked. Whoever puts one off at this moment looks again after that.
      locked AS (
        SELECT n.*
        FROM next n
        CROSS JOIN LATERAL (
          SELECT FROM webhook_deliveries d
          WHERE d.bucket = ${smallint(bucket)} AND d.account_id = n.account_id AND d.id = n.id
            AND d.attempts = 0 AND d.next_attempt_at = n.next_attempt_at
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS d
        WHERE n.next_attempt_at > n.due_at
      ),
      -- Their places in the queue are due earlier, as their deliveries below.
      requeued AS (
        UPDATE webhook_queue q
        SET due_at = l.due_at
        FROM locked l
        WHERE q.bucket = ${smallint(bucket)} AND q.account_id = l.account_id AND q.origin = ${originOf(sql, "l.url")}
          AND NOT q.is_retry AND q.due_at = l.next_attempt_at AND q.delivery_id = l.id
      )
      UPDATE webhook_deliveries d
      SET next_attempt_at = l.due_at
      FROM locked l
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = l.account_id AND d.id = l.id
      RETURNING d.id`
    return released.length
  })

  /**
   * Releases what waits behind turns that have ended, which is mostly nothing:
   * that is seen by one look for all buckets.
   */
  const releaseBehind = Effect.fnUntraced(function* (ended: ReadonlyArray<Ended>, at: DateTime.Utc) {
    const turns = ended.flatMap(({ bucket, executionIds }) =>
      executionIds.flatMap((executionId) => (executionId === null ? [] : [{ bucket, executionId }]))
    )
    if (order === "none" || turns.length === 0) return 0
    const waiting = yield* decoded(WaitingRow)(findHeldBack(reads, { turns }))
    const released = yield* Effect.forEach(
      Object.values(Array.groupBy(waiting, ({ bucket }) => bucket.toString())),
      (found) =>
        release({
          bucket: found[0].bucket,
          executionIds: found.map(({ executionId }) => executionId),
          at
        }),
      { concurrency: bucketsAtOnce }
    )
    return Number.sumAll(released)
  })

  return { release, releaseBehind }
})
