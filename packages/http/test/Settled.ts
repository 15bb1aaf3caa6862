/** Attempts of deliveries, as a dispatcher would make them: claims what is due, and settles it. */
import type { Delivery, DeliveryAttempt } from "@runhook/core/deliveries/Delivery"
import type { Verdict } from "@runhook/core/deliveries/steps/DeliveryMoves"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Claims whatever is due. */
export const claimed = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const at = yield* DateTime.now
  const { deliveries } = yield* store.claimDue({ room: roomFor(10), lease: Duration.seconds(45), at })
  return deliveries.map(({ delivery }) => delivery)
})

/** Ends the attempts of claimed deliveries like that, with what was sent and answered. */
export const settle = Effect.fnUntraced(function* (
  deliveries: ReadonlyArray<Delivery>,
  verdict: Verdict,
  seen: Partial<DeliveryAttempt> = {}
) {
  const store = yield* DeliveryStore
  const at = yield* DateTime.now
  yield* store.settle(
    deliveries.map((each) => ({
      accountId: each.accountId,
      attempt: attemptOf(each, { startedAt: at, status: 200, error: null, ...seen }),
      verdict
    })),
    at
  )
})
