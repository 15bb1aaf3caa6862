/** Gives back what is leased and will not be sent by this process: what is due at once goes to whoever may send it. */
import type { DispatcherId, EventId } from "@runhook/core/domain/Ids"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type { LeasedDeliveries } from "./LeasedDeliveries.ts"
import type { LostClaims } from "./LostClaims.ts"

/** Gives a function that gives back a delivery, together with all others of the same moment. */
export const make = Effect.fnUntraced(function* (options: {
  readonly dispatcher: DispatcherId
  readonly leased: LeasedDeliveries
  readonly lostClaims: LostClaims
  /** Called when some are due again. */
  readonly onDue: () => void
}) {
  const { dispatcher, leased, lostClaims, onDue } = options
  const store = yield* DeliveryStore
  const run = yield* FiberSet.makeRuntime<never, void>()
  const gathered: Array<EventId> = []

  const giveBack = Effect.gen(function* () {
    yield* Effect.yieldNow
    const at = yield* DateTime.now
    const ids = gathered.splice(0)
    yield* store.giveBack({ dispatcher, which: { _tag: "These", ids }, at }).pipe(
      // Never again: by then they may be claimed anew. They are found as claims that nobody knows of.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.sync(() => lostClaims.suspect(at))
      )
    )
    leased.returned(ids)
    onDue()
  })

  return (id: EventId): void => {
    leased.returning(id)
    gathered.push(id)
    if (gathered.length === 1) run(giveBack)
  }
})
