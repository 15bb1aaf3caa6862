/** The callbacks of the service, signed as the service signs them. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { AccountId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as SigningKeyring from "@runhook/core/keys/SigningKeyring"
import { signedRequest } from "@runhook/core/signing/SignedRequest"
import { MemoryDatabase } from "@runhook/store-memory/MemoryDatabase"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

export const make = Effect.fnUntraced(function* (accountId: AccountId) {
  const keysFor = yield* SigningKeyring.make
  const store = yield* DeliveryStore
  const { deliveries } = yield* MemoryDatabase

  return {
    /** Every one so far, oldest first. */
    all: Effect.sync(() => [...deliveries.values()]),

    /** Signed now. */
    signed: Effect.fnUntraced(function* (delivery: Delivery) {
      const at = yield* DateTime.now
      // As the first attempt, if none was made.
      const counted = { ...delivery, attempts: Math.max(1, delivery.attempts) }
      return signedRequest({ delivery: counted, keys: yield* keysFor(delivery, at), at })
    }),

    /** Whether none is due or being sent. */
    areOver: Effect.gen(function* () {
      const ids = Array.from(deliveries.values(), ({ id }) => id)
      const waits = yield* store.waits({ accountId, ids, at: yield* DateTime.now })
      return [...waits.values()].every(({ waitingFor }) => waitingFor !== null && waitingFor !== "sending")
    })
  }
})
