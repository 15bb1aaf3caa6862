/** Webhook deliveries in PostgreSQL, as the dispatcher and the API use them. */
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeNote } from "../audit/AuditEntries.ts"
import { orDefect, idempotentOrDefect } from "../sql/SqlErrors.ts"
import { makeClaimDue } from "./claim/ClaimDue.ts"
import { makeLostClaims } from "./claim/LostClaims.ts"
import { DeliveryReads } from "./history/DeliveryReads.ts"
import { makeMoveOne } from "./history/MoveOne.ts"
import { makeEnqueue } from "./queue/DeliveryQueue.ts"
import { makeSettle } from "./settle/Settle.ts"

export const layer = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const note = yield* makeNote
    const enqueue = yield* makeEnqueue
    const claimDue = yield* makeClaimDue
    const settle = yield* makeSettle
    const lostClaims = yield* makeLostClaims
    const { deadLetters, get, list, waits } = yield* DeliveryReads
    const one = yield* makeMoveOne

    return DeliveryStore.of({
      enqueue: Effect.fnUntraced(
        function* (delivery, audit) {
          const wait = yield* enqueue(delivery)
          yield* note(audit?.(delivery))
          return wait
        },
        (enqueuing) => sql.withTransaction(enqueuing),
        orDefect
      ),

      claimDue: flow(claimDue, orDefect),

      settle: flow(settle, orDefect),

      giveBack: flow(lostClaims.giveBack, idempotentOrDefect),

      takeBack: flow(lostClaims.takeBack, idempotentOrDefect),

      beat: flow(lostClaims.beat, orDefect),

      get,

      list,

      deadLetters,

      waits,

      tryNow: flow(one.tryNow, orDefect),

      replay: flow(one.replay, orDefect)
    })
  })
)
