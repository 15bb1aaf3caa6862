/**
 * Makes a delivery due at once because somebody asked for it: one transaction,
 * in which the core decides on the locked row.
 */
import { deliveryTried } from "@runhook/core/domain/audit/ActivityEvents"
import { destinationOf } from "@runhook/core/domain/delivery/Delivery"
import { whyNotTried } from "@runhook/core/domain/delivery/TryNow"
import type { AccountId, EventId } from "@runhook/core/domain/Ids"
import { CallbackOrder, DeliveryNotWaiting } from "@runhook/core/ports/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { makeNote } from "../../audit/AuditEntries.ts"
import { makeMomentsAt } from "../../clock/StoreClock.ts"
import { smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import { makeHistory } from "./DeliveryHistory.ts"

export const makeTryNow = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const momentsAt = yield* makeMomentsAt
  const note = yield* makeNote
  const order = yield* CallbackOrder
  const { find, standings } = yield* makeHistory

  const settledOnes = { hasEarlier: false, isAttempted: false }

  const tryNow = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly id: EventId
    readonly at: DateTime.Utc
  }) {
    const { accountId, at, id } = options
    const bucket = yield* buckets.of(accountId)
    yield* sql`
      SELECT FROM webhook_deliveries d
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} AND d.id = ${uuid(id)}
      FOR UPDATE`
    // Read anew, as what was waited for may have changed it.
    const delivery = yield* find(accountId, id)
    const [standing] = yield* standings({ accountId, ids: [id], at })
    const reason = whyNotTried(delivery, standing ?? settledOnes, { at: standing?.now ?? at, order })
    if (reason !== null) return yield* new DeliveryNotWaiting({ id, state: delivery.state, reason })
    yield* sql`
      -- What counts as now, carried through the statement.
      WITH moment AS MATERIALIZED (SELECT ${momentsAt(at).now} AS at),
      -- Its place in the queue, due now and marked as wanted. In one of two kinds, first tries and retries.
      requeued AS (
        UPDATE webhook_queue q
        SET due_at = moment.at, is_tried = TRUE
        FROM moment
        WHERE q.bucket = ${smallint(bucket)} AND q.account_id = ${uuid(accountId)}
          AND q.origin = ${text(destinationOf(delivery.url))} AND q.is_retry = ANY (ARRAY[FALSE, TRUE])
          AND q.due_at = ${timestamptz(delivery.nextAttemptAt)} AND q.delivery_id = ${uuid(id)}
        RETURNING q.due_at
      )
      UPDATE webhook_deliveries d
      SET next_attempt_at = requeued.due_at
      FROM requeued
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} AND d.id = ${uuid(id)}`
    const tried = yield* find(accountId, id)
    yield* note(deliveryTried(delivery, tried))
    return tried
  })

  return (options: Parameters<typeof tryNow>[0]) => sql.withTransaction(tryNow(options))
})
