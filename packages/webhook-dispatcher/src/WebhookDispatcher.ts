/**
 * Makes deliveries. Each goes down one line: it is claimed, sent, judged,
 * observed and settled. Any number of dispatchers may work on one store. One
 * that is killed loses nothing: what it had claimed is due again when the
 * others stop hearing from it, or when the lease ends at the latest.
 */
import { DispatcherId, newId } from "@runhook/core/domain/Ids"
import type { ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import type { DeliveryInlet } from "@runhook/core/ports/DeliveryInlet"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import type { Signals } from "@runhook/core/ports/Signals"
import type { UsageStore } from "@runhook/core/ports/UsageStore"
import { Tally } from "@runhook/core/runtime/Tally"
import type { ServiceKeys } from "@runhook/core/Settings"
import * as Clock from "effect/Clock"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as ClaimLoop from "./ClaimLoop.ts"
import * as DispatcherHeartbeats from "./DispatcherHeartbeats.ts"
import { type DispatcherOptions, optionsDefault } from "./DispatcherOptions.ts"
import { Inlet } from "./Inlet.ts"
import { LeasedDeliveries } from "./LeasedDeliveries.ts"
import { LostClaims } from "./LostClaims.ts"
import { InFlightLimits } from "./receivers/InFlightLimits.ts"
import type { InFlightDelivery } from "./receivers/Permit.ts"
import { observe } from "./receivers/ReceiverObserver.ts"
import { judge } from "./RetryPolicy.ts"
import * as SendAttempt from "./SendAttempt.ts"
import type { Sender } from "./Sender.ts"
import * as Settler from "./Settler.ts"
import * as WebhookMetrics from "./WebhookMetrics.ts"

type Needs = ApiKeyStore | DeliveryStore | SecureRandom | Sender | ServiceKeys | Signals

/**
 * Runs a dispatcher. It sends what its own process causes without looking for
 * it. When its scope ends it claims nothing more and is handed over nothing
 * more, waits for what is in flight, and leaves the rest to others, due at once.
 */
export const layer = (
  given: Partial<DispatcherOptions> = {}
): Layer.Layer<never, never, Needs | UsageStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { startsAfter = optionsDefault.startsAfter } = given
      const store = yield* DeliveryStore
      const inlet = yield* make(given)
      const opening = Effect.andThen(startsAfter, store.handOver(inlet))
      yield* Effect.forkScoped(opening, { startImmediately: true })
    })
  ).pipe(Layer.provide(Tally.layer))

/** Runs a dispatcher until the scope ends, and answers the inlet by which deliveries are handed over to it. */
export const make = Effect.fnUntraced(function* (
  given: Partial<DispatcherOptions>
): Effect.fn.Return<DeliveryInlet, never, Needs | Scope.Scope | Tally> {
  const options = { ...optionsDefault, ...given }
  const { lease } = options
  const dispatcher = yield* newId(DispatcherId)
  const leased = new LeasedDeliveries(lease)
  const lostClaims = new LostClaims(lease)
  const limits = new InFlightLimits({ places: options.concurrency, heldMax: options.heldMax })
  // A scope ends what began last first: the claim loop, then after a while the deliveries, then the settler,
  // and once nothing is in flight any more the heartbeats.
  yield* DispatcherHeartbeats.leaveAtEnd(dispatcher, leased)
  yield* options.isAlone ? DispatcherHeartbeats.takeOverAll(dispatcher) : DispatcherHeartbeats.run(dispatcher)
  const send = yield* SendAttempt.make({ onSend: (delivery) => leased.sent(delivery) })
  const settle = yield* Settler.make({ lease, pace: options.settlePace, onDue: () => limits.lookAgain() })
  const tally = yield* Tally

  /** The line from a claim to its end. */
  const deliver = Effect.fnUntraced(function* (inFlight: InFlightDelivery) {
    const { delivery, permit } = inFlight
    const attempted = yield* send(delivery)
    const judged = yield* judge(attempted)
    const settlement = yield* observe(limits.stats, inFlight, judged)
    limits.answered(permit)
    const end = yield* settle(settlement)
    if (end === "lost") return
    leased.settled(delivery)
    tally.attempted(delivery, settlement)
  })

  const deliveries = yield* FiberSet.make<void>()
  const run = yield* FiberSet.runtime(deliveries)()

  /** Sends a delivery that was claimed or handed over down the line, and does not wait for its end. */
  const begin = (inFlight: InFlightDelivery): void => {
    const { delivery, permit } = inFlight
    if (delivery.executionId !== null) inlet.remember(delivery.executionId, permit.receiver)
    run(
      Effect.acquireUseRelease(
        WebhookMetrics.inFlightChanged(1),
        () => deliver(inFlight),
        () => {
          limits.release(permit)
          return WebhookMetrics.inFlightChanged(-1)
        }
      )
    )
  }

  const clock = yield* Clock.Clock
  const inlet = new Inlet({ begin, clock, dispatcher, leased, lease, limits, lostClaims })
  const allEnded = Effect.andThen(inlet.close, FiberSet.awaitEmpty(deliveries))
  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(allEnded), options.stopGrace))
  yield* ClaimLoop.run({ ...options, begin, dispatcher, leased, limits, lostClaims })
  return inlet
})
