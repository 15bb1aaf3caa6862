/** Webhook deliveries in PostgreSQL, as the dispatcher and the API use them. */
import { deliveryReplayed, testQueued } from "@runhook/core/domain/audit/ActivityEvents"
import { DeliveryNotSettled, DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { DeliveryInlets } from "@runhook/core/runtime/DeliveryInlets"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { makeMomentsAt } from "../clock/StoreClock.ts"
import { firstOf } from "../rows/Rows.ts"
import { smallint, uuid } from "../sql/Parameters.ts"
import { orDefect, idempotentOrDefect } from "../sql/SqlErrors.ts"
import { makeClaimDue } from "./claim/ClaimDue.ts"
import { makeLostClaims } from "./claim/LostClaims.ts"
import { deliveryJoins, deliveryTable } from "./DeliveryRow.ts"
import { makeListDeadLetters } from "./history/DeadLetters.ts"
import { makeHistory } from "./history/DeliveryHistory.ts"
import { makeTryNow } from "./history/TryNow.ts"
import { makeEnqueue, newRound } from "./queue/DeliveryQueue.ts"
import { makeSettle } from "./settle/Settle.ts"

export const layer = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const momentsAt = yield* makeMomentsAt
    const inlets = yield* DeliveryInlets
    const buckets = yield* Buckets
    const note = yield* makeNote
    const enqueue = yield* makeEnqueue
    const claimDue = yield* makeClaimDue
    const settle = yield* makeSettle
    const lostClaims = yield* makeLostClaims
    const history = yield* makeHistory
    const deadLetters = yield* makeListDeadLetters
    const tryNow = yield* makeTryNow

    return DeliveryStore.of({
      enqueue: Effect.fnUntraced(
        function* (delivery) {
          yield* enqueue(delivery)
          yield* note(testQueued(delivery))
        },
        (enqueuing) => sql.withTransaction(enqueuing),
        orDefect
      ),

      handOver: inlets.open,

      claimDue: flow(claimDue, orDefect),

      settle: flow(settle, orDefect),

      giveBack: flow(lostClaims.giveBack, idempotentOrDefect),

      takeBack: flow(lostClaims.takeBack, idempotentOrDefect),

      beat: flow(lostClaims.beat, orDefect),

      get: flow(history.get, idempotentOrDefect),

      list: flow(history.list, idempotentOrDefect),

      deadLetters: flow(deadLetters, idempotentOrDefect),

      waits: flow(history.waits, idempotentOrDefect),

      tryNow: flow(tryNow, orDefect),

      replay: Effect.fnUntraced(
        function* ({ accountId, id, at }) {
          const before = yield* history.find(accountId, id)
          const bucket = yield* buckets.of(accountId)
          const replayed = yield* firstOf(deliveryTable)(sql`
          -- The delivery, locked, if it has come to its end.
          WITH chosen AS MATERIALIZED (
            SELECT d.id
            FROM webhook_deliveries d
            WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} AND d.id = ${uuid(id)}
              AND d.state <> 'pending'
            FOR UPDATE OF d
          ),
          ${newRound(sql, { bucket, accountId, replayId: null, moments: momentsAt(at) })}
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
        orDefect
      )
    })
  })
)
