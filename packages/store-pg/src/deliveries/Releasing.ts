/**
 * Releases what earlier events of an execution held back. Whoever settles one
 * releases after that has been committed, and whoever puts one off looks once
 * more after that has: so one of the two sees what the other did, and neither
 * has to lock anything of the other.
 */
import type { ExecutionId } from "@runhook/core/domain/Ids"
import { CallbackOrder } from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { uuids } from "../Arrays.ts"
import { StoreClock, nowOf } from "../clock/StoreClock.ts"
import { originOf } from "./Origins.ts"

export const makeReleasing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const order = yield* CallbackOrder
  const clock = yield* StoreClock

  /** Makes the first pending delivery of each execution due, if it was put off. In no transaction. */
  const release = Effect.fnUntraced(function* (options: {
    readonly bucket: number
    readonly executionIds: ReadonlyArray<ExecutionId | null>
    readonly at: DateTime.Utc
  }) {
    const { at, bucket } = options
    const executionIds = Array.dedupe(options.executionIds.flatMap((id) => id ?? []))
    if (order === "none" || executionIds.length === 0) return
    const now = nowOf(sql, { at, clock })
    yield* sql`
      WITH first AS (
        SELECT d.account_id, d.id, d.url, d.next_attempt_at
        FROM unnest(${uuids(executionIds)}::uuid[]) AS asked (execution_id)
        CROSS JOIN LATERAL (
          SELECT d.account_id, d.id, d.url, d.next_attempt_at, d.attempts
          FROM webhook_deliveries d
          WHERE d.bucket = ${bucket}::smallint AND d.execution_id = asked.execution_id
            AND d.state = 'pending' AND d.round = 1
          ORDER BY d.id
          LIMIT 1
        ) AS d
        WHERE d.attempts = 0 AND d.next_attempt_at > ${now}
      ),
      locked AS (
        SELECT f.*
        FROM first f
        CROSS JOIN LATERAL (
          SELECT FROM webhook_deliveries d
          WHERE d.bucket = ${bucket}::smallint AND d.account_id = f.account_id AND d.id = f.id
            AND d.attempts = 0 AND d.next_attempt_at = f.next_attempt_at
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS d
      ),
      requeued AS (
        UPDATE webhook_queue q
        SET due_at = ${now}
        FROM locked l
        WHERE q.bucket = ${bucket}::smallint AND q.account_id = l.account_id AND q.origin = ${originOf(sql, "l.url")}
          AND NOT q.is_retry AND q.due_at = l.next_attempt_at AND q.delivery_id = l.id
      )
      UPDATE webhook_deliveries d
      SET next_attempt_at = ${now}
      FROM locked l
      WHERE d.bucket = ${bucket}::smallint AND d.account_id = l.account_id AND d.id = l.id`
  })

  return { release }
})
