/**
 * Makes deliveries. Each goes through one pipeline: it is claimed, sent, judged, observed and settled. Any number of
 * dispatchers may work on one store. A killed one loses nothing: what it had claimed falls due again when the others
 * stop hearing from it, or when the lease ends at the latest.
 */
import { DispatcherId, newId } from "@runhook/core/shared/Ids"
import type { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import type { DeliveryInlet } from "@runhook/core/deliveries/queue/DeliveryInlet"
import type { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import type { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import type { Signals } from "@runhook/core/signals/Signals"
import type { UsageStore } from "@runhook/core/usage/UsageStore"
import { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import { UsageCounter } from "@runhook/core/usage/UsageCounter"
import { WaitingCallbacks } from "@runhook/core/deliveries/queue/WaitingCallbacks"
import type { ServiceKeys } from "@runhook/core/Settings"
import * as Clock from "effect/Clock"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as ClaimLoop from "./ClaimLoop.ts"
import * as DispatcherHeartbeats from "./DispatcherHeartbeats.ts"
import { type DispatcherOptions, optionsDefault } from "./DispatcherOptions.ts"
import * as Inlet from "./Inlet.ts"
import { LeasedDeliveries } from "./LeasedDeliveries.ts"
import type { InFlight } from "./receivers/Receiver.ts"
import { answeredWithin } from "./receivers/LeaseWindow.ts"
import { Lines } from "./receivers/Lines.ts"
import { observe, tell } from "./receivers/ReceiverObserver.ts"
import { Receivers } from "./receivers/Receivers.ts"
import * as Returns from "./Returns.ts"
import * as SendAttempt from "./SendAttempt.ts"
import type { Sender } from "./Sender.ts"
import * as Settler from "./Settler.ts"
import * as WebhookMetrics from "./WebhookMetrics.ts"

/** Time between two looks for deliveries that have waited too long in their line. */
const sweepEvery = Duration.seconds(1)

type Needs = ApiKeyStore | DeliveryStore | EndpointStore | SecureRandom | Sender | ServiceKeys | Signals

/**
 * Runs a dispatcher. It sends what its own process causes without looking for it. When its scope ends it stops
 * claiming and being handed deliveries, waits for those in flight, and leaves the rest to others, due at once.
 */
export const layer = (
  given: Partial<DispatcherOptions> = {}
): Layer.Layer<never, never, DeliveryInlets | Needs | UsageStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { startsAfter = optionsDefault.startsAfter } = given
      const inlets = yield* DeliveryInlets
      const inlet = yield* make(given)
      const opening = Effect.andThen(startsAfter, inlets.open(inlet))
      yield* Effect.forkScoped(opening, { startImmediately: true })
    })
  ).pipe(Layer.provide(UsageCounter.layer))

/** Runs a dispatcher until the scope ends, and answers the inlet by which deliveries are handed over to it. */
export const make = Effect.fnUntraced(function* (
  given: Partial<DispatcherOptions>
): Effect.fn.Return<DeliveryInlet, never, Needs | Scope.Scope | UsageCounter> {
  const options = { ...optionsDefault, ...given }
  const { concurrency: places, heldMax, lease } = options
  const dispatcher = yield* newId(DispatcherId)
  const leased = new LeasedDeliveries(Duration.toMillis(lease))
  const receivers = new Receivers({ places, heldMax })
  // A scope ends what began last first: the claim loop, then after a while the deliveries, then the settler,
  // and once nothing is in flight any more the heartbeats.
  yield* DispatcherHeartbeats.leaveAtEnd(dispatcher, leased)
  yield* options.isAlone ? DispatcherHeartbeats.takeOverAll(dispatcher) : DispatcherHeartbeats.run(dispatcher)
  const send = yield* SendAttempt.make
  const onDue = () => receivers.lookAgain()
  const settler = yield* Settler.make({
    lease,
    pace: options.settlePace,
    gather: options.settleGather,
    onDue
  })
  const returns = yield* Returns.make({ dispatcher, lease, leased, onDue })
  const counter = yield* UsageCounter
  const metrics = yield* WebhookMetrics.make
  const clock = yield* Clock.Clock
  const random = yield* Random.Random
  const now = () => clock.currentTimeMillisUnsafe()

  /** The pipeline of one delivery. */
  const deliver = Effect.fnUntraced(function* (inFlight: InFlight) {
    const { delivery, receiver } = inFlight
    metrics.attemptBegins(delivery, now())
    const judged = yield* send(inFlight)
    metrics.attemptEnded(judged)
    const at = DateTime.makeUnsafe(now())
    const move = observe(inFlight, judged, { at, random: random.nextDoubleUnsafe() })
    // A receiver that may not be called is not back.
    if (move !== undefined && judged.verdict._tag !== "Cancelled") yield* tell(receiver, move, at)
    lines.answered(inFlight, move?._tag === "Open" || move?._tag === "Pause")
    const isTest = delivery.executionId === null
    const isUrgent = isTest || move !== undefined || receivers.isShort || lines.isAwaited(inFlight)
    const settlement = { ...judged, move }
    if ((yield* settler.settle(settlement, { isUrgent })) === "lost") return
    leased.ended(inFlight, { at: now(), isFinal: judged.verdict._tag !== "Retry" })
    counter.attempted(delivery, settlement)
  })

  const deliveries = yield* FiberSet.make<void>()
  const run = yield* FiberSet.runtime(deliveries)()
  const lineMaxMs = Duration.toMillis(Duration.min(answeredWithin, Duration.divideUnsafe(lease, 3)))

  const lines = new Lines({
    places,
    receivers,
    leased,
    waiting: yield* WaitingCallbacks,
    isStale: ({ leasedAt }) => now() - leasedAt > lineMaxMs,
    send: (inFlight) => {
      run(
        Effect.acquireUseRelease(
          Effect.sync(() => metrics.inFlightChanged(1)),
          () => deliver(inFlight),
          () =>
            Effect.sync(() => {
              lines.ended(inFlight)
              metrics.inFlightChanged(-1)
            })
        )
      )
    },
    giveBack: returns.giveBack
  })

  /** Lets a delivery that was claimed or handed over wait for its turn. */
  const begin = (inFlight: InFlight): void => {
    const { behind, delivery, receiver } = inFlight
    if (delivery.executionId !== null && delivery.endpointId === null)
      inlet.remember(delivery.executionId, receiver)
    leased.hold(inFlight)
    lines.join(inFlight)
    if (behind !== null) settler.hurry(behind)
  }

  const inlet = Inlet.make({ begin, clock, leased, receivers, returns })
  const allEnded = Effect.suspend(() => {
    lines.close()
    settler.stopGathering()
    return Effect.andThen(inlet.close, FiberSet.awaitEmpty(deliveries))
  })
  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(allEnded), options.stopGrace))
  const sweep = Effect.sync(() => {
    leased.forgetPast(now())
    lines.sweep()
  })
  yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(sweepEvery)))
  yield* ClaimLoop.run({ ...options, begin, dispatcher, receivers, returns })
  return { dispatcher, lease, reservePlace: inlet.reservePlace }
})
