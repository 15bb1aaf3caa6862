/** Webhook deliveries in PostgreSQL, as the dispatcher and the API use them. */
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { makeNote } from "../audit/AuditEntries.ts"
import { orDefect, idempotentOrDefect } from "../sql/SqlErrors.ts"
import { makeClaimDue } from "./claim/ClaimDue.ts"
import { makeLostClaims } from "./claim/LostClaims.ts"
import { makeListDeadLetters } from "./history/DeadLetters.ts"
import { makeHistory } from "./history/DeliveryHistory.ts"
import { makeMoveOne } from "./history/MoveOne.ts"
import { makeEnqueue } from "./queue/DeliveryQueue.ts"
import { makeSettle } from "./settle/Settle.ts"
import { makeStoreSteps } from "./steps/StoreSteps.ts"

export const layer = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const note = yield* makeNote
    const enqueue = yield* makeEnqueue
    const steps = yield* makeStoreSteps
    const claimDue = yield* makeClaimDue(steps)
    const settle = yield* makeSettle(steps)
    const lostClaims = yield* makeLostClaims(steps)
    const history = yield* makeHistory
    const deadLetters = yield* makeListDeadLetters
    const one = yield* makeMoveOne(steps)

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

      get: flow(history.get, idempotentOrDefect),

      list: flow(history.list, idempotentOrDefect),

      deadLetters: flow(deadLetters, idempotentOrDefect),

      waits: flow(history.waits, idempotentOrDefect),

      tryNow: flow(one.tryNow, orDefect),

      replay: flow(one.replay, orDefect)
    })
  })
)
