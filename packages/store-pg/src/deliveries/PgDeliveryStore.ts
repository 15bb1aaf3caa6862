/** Webhook deliveries in PostgreSQL; `deliveries/` has what the dispatcher does with them. */
import { DeliveryInlets } from "@runhook/core/runtime/DeliveryInlets"
import { deliveryReplayed, testQueued } from "@runhook/core/domain/audit/ActivityEvents"
import { DeliveryNotSettled, DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeNote } from "../audit/AuditEntries.ts"
import { Buckets } from "../accounts/Buckets.ts"
import { makeClaiming } from "./claim/ClaimDue.ts"
import { StoreClock } from "../clock/StoreClock.ts"
import { makeDeadLetters } from "./history/DeadLetters.ts"
import { makeEnqueuing } from "./queue/EnqueueDeliveries.ts"
import { makeHistory } from "./history/DeliveryHistory.ts"
import { newRound } from "./queue/NewRound.ts"
import { makeReturning } from "./claim/LostClaims.ts"
import { makeSettling } from "./settle/Settle.ts"
import { makeTrying } from "./history/TryNow.ts"
import { settled, settledRepeatable } from "../sql/SqlErrors.ts"
import { deliveryJoins, deliveryTable } from "./DeliveryRow.ts"
import { firstOf } from "../rows/Rows.ts"

export const layer = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const clock = yield* StoreClock
    const inlets = yield* DeliveryInlets
    const buckets = yield* Buckets
    const note = yield* makeNote
    const { enqueue } = yield* makeEnqueuing
    const { claimDue } = yield* makeClaiming
    const { settle } = yield* makeSettling
    const returning = yield* makeReturning
    const history = yield* makeHistory
    const { deadLetters } = yield* makeDeadLetters
    const { tryNow } = yield* makeTrying

    return DeliveryStore.of({
      enqueue: Effect.fnUntraced(
        function* (delivery) {
          yield* enqueue(delivery)
          yield* note(testQueued(delivery))
        },
        (enqueuing) => sql.withTransaction(enqueuing),
        settled
      ),

      handOver: inlets.open,

      claimDue: flow(claimDue, settled),

      settle: flow(settle, settled),

      giveBack: flow(returning.giveBack, settledRepeatable),

      takeBack: flow(returning.takeBack, settledRepeatable),

      beat: flow(returning.beat, settled),

      get: flow(history.get, settledRepeatable),

      list: flow(history.list, settledRepeatable),

      deadLetters: flow(deadLetters, settledRepeatable),

      waits: flow(history.waits, settledRepeatable),

      tryNow: flow(tryNow, settled),

      replay: Effect.fnUntraced(
        function* ({ accountId, id, at }) {
          const before = yield* history.find(accountId, id)
          const bucket = yield* buckets.of(accountId)
          const replayed = yield* firstOf(deliveryTable)(sql`
          WITH chosen AS MATERIALIZED (
            SELECT d.id
            FROM webhook_deliveries d
            WHERE d.bucket = ${bucket}::smallint AND d.account_id = ${accountId}::uuid AND d.id = ${id}::uuid
              AND d.state <> 'pending'
            FOR UPDATE OF d
          ),
          ${newRound(sql, { bucket, accountId, replayId: null, at, clock })}
          SELECT ${sql.literal(deliveryTable.columns)}
          FROM replayed d
          ${sql.literal(deliveryJoins)}`)
          if (replayed === undefined) {
            const { state } = yield* history.find(accountId, id)
            return yield* new DeliveryNotSettled({ id, state })
          }
          // It has not changed since it was read: what is settled changes by replays alone, and each counts.
          yield* note(deliveryReplayed({ state: before.state, round: replayed.round - 1 }, replayed))
          return replayed
        },
        (replaying) => sql.withTransaction(replaying),
        settled
      )
    })
  })
)
