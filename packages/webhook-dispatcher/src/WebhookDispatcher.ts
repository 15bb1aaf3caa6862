/**
 * Makes deliveries: claims those that are due, attempts each, stores what came
 * of it. Any number of dispatchers may work on one store. One that is killed
 * loses nothing: what it had claimed falls due again when the others no longer
 * hear of it, at the latest when the lease ends.
 */
import { DispatcherId, newId } from "@runhook/core/domain/Ids"
import type { ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import type { DeliveryInlet } from "@runhook/core/ports/DeliveryInlet"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import type { UsageStore } from "@runhook/core/ports/UsageStore"
import { Tally } from "@runhook/core/runtime/Tally"
import type { ServiceKeys } from "@runhook/core/Settings"
import * as Clock from "effect/Clock"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Attempts from "./Attempts.ts"
import * as ClaimLoop from "./ClaimLoop.ts"
import { Doubts } from "./Doubts.ts"
import { Holdings } from "./Holdings.ts"
import { Inlet } from "./Inlet.ts"
import * as OtherDispatchers from "./OtherDispatchers.ts"
import { InFlightLimits } from "./receivers/InFlightLimits.ts"
import type { Flight } from "./receivers/Passage.ts"
import { watch } from "./receivers/ReceiverObserver.ts"
import type { Sender } from "./Sender.ts"
import * as Settler from "./Settler.ts"
import * as WebhookMetrics from "./WebhookMetrics.ts"

export interface WebhookDispatcherOptions {
  /** Deliveries that are sent at once: the place of one is free when its receiver has answered. Default: 256. */
  readonly concurrency: number
  /**
   * Deliveries at once that are sent, or whose results wait to be stored. Once
   * there are as many, nothing more is taken. Default: 1,024.
   */
  readonly heldMax: number
  /**
   * How long a claimed delivery is this dispatcher's own. Must be well above
   * the longest attempt, or receivers get events twice. Default: 45 s.
   */
  readonly lease: Duration.Duration
  /** Rest after each claim, so that several are claimed at once. Default: 10 ms. */
  readonly pace: Duration.Duration
  /** Rest after each store of results, so that several are stored at once. Nobody waits for it. Default: 25 ms. */
  readonly settlePace: Duration.Duration
  /** Longest wait for a signal before looking again, right after there was something to do. Default: 250 ms. */
  readonly pollFloor: Duration.Duration
  /** What that wait grows to while there is nothing to do. Default: 2 s. */
  readonly pollCeiling: Duration.Duration
  /**
   * Whether no other process can work on the store. Then whatever stands
   * claimed at the start is nobody's, and is due at once. Default: no.
   */
  readonly isAlone: boolean
  /** What has to be there before the first delivery, as what answers receivers that ask back at once. Default: nothing. */
  readonly startsAfter: Effect.Effect<void>
  /** Longest wait at the end for deliveries in flight and their results. Default: 17 s, the longest attempt and a little more. */
  readonly stopGrace: Duration.Duration
}

export const optionsDefault: WebhookDispatcherOptions = {
  concurrency: 256,
  heldMax: 1_024,
  lease: Duration.seconds(45),
  pace: Duration.millis(10),
  settlePace: Duration.millis(25),
  pollFloor: Duration.millis(250),
  pollCeiling: Duration.seconds(2),
  isAlone: false,
  startsAfter: Effect.void,
  stopGrace: Duration.seconds(17)
}

/** Longest wait at the end for the store to take back what is not done. */
const farewellMax = Duration.seconds(1)

/**
 * Runs a dispatcher. What its process causes it sends without looking for it.
 * When its scope ends it claims nothing more and is handed over nothing more,
 * waits for what is in flight, and leaves what is not done by then to others,
 * due at once.
 */
export const layer = (
  given: Partial<WebhookDispatcherOptions> = {}
): Layer.Layer<
  never,
  never,
  ApiKeyStore | DeliveryStore | SecureRandom | Sender | ServiceKeys | Signals | UsageStore
> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { startsAfter = optionsDefault.startsAfter } = given
      const store = yield* DeliveryStore
      const inlet = yield* make(given)
      const opening = Effect.andThen(startsAfter, store.handOver(inlet))
      yield* Effect.forkScoped(opening, { startImmediately: true })
    })
  ).pipe(Layer.provide(Tally.layer))

/** Runs a dispatcher until the scope ends, and answers where deliveries are handed over to it. */
export const make = Effect.fnUntraced(function* (
  given: Partial<WebhookDispatcherOptions>
): Effect.fn.Return<
  DeliveryInlet,
  never,
  ApiKeyStore | DeliveryStore | Scope.Scope | SecureRandom | Sender | ServiceKeys | Signals | Tally
> {
  const options = { ...optionsDefault, ...given }
  const { lease } = options
  const dispatcher = yield* newId(DispatcherId)
  const holdings = new Holdings(lease)
  const doubts = new Doubts(lease)
  const traffic = new InFlightLimits({ places: options.concurrency, heldMax: options.heldMax })
  // Scopes end what began last first: the loop, then after a while the deliveries, then the settling of results,
  // and once nothing is under way any more the signs of life.
  const services = yield* Effect.context<DeliveryStore | Signals>()
  yield* Effect.addFinalizer(() => Effect.provide(leave(dispatcher, holdings), services))
  yield* options.isAlone ? OtherDispatchers.succeedAll(dispatcher) : OtherDispatchers.watch(dispatcher)
  const attempt = yield* Attempts.make
  const settle = yield* Settler.make({ lease, pace: options.settlePace, onDue: () => traffic.isMoreDue() })
  const tally = yield* Tally

  const inFlight = yield* FiberSet.make<void>()
  const run = yield* FiberSet.runtime(inFlight)()

  const deliver = Effect.fnUntraced(function* ({ delivery, passage, probeOf }: Flight) {
    yield* WebhookMetrics.attemptBegins(delivery)
    const attempted = yield* attempt(delivery, () => holdings.sent(delivery))
    yield* WebhookMetrics.attemptEnded(attempted)
    const settlement = yield* watch(traffic.memory, {
      receiver: passage.receiver,
      probeOf,
      settlement: attempted
    })
    traffic.answered(passage)
    const end = yield* settle(settlement)
    if (end === "lost") return
    holdings.settled(delivery)
    tally.attempted(delivery, settlement)
  })

  const begin = (flight: Flight) => {
    const { delivery, passage } = flight
    if (delivery.executionId !== null) inlet.remember(delivery.executionId, passage.receiver)
    run(
      Effect.acquireUseRelease(
        WebhookMetrics.inFlightChanged(1),
        () => deliver(flight),
        () => {
          traffic.left(passage)
          return WebhookMetrics.inFlightChanged(-1)
        }
      )
    )
  }
  const clock = yield* Clock.Clock
  const inlet = new Inlet({ begin, clock, dispatcher, doubts, holdings, lease, traffic })

  const allEnded = Effect.andThen(inlet.close, FiberSet.awaitEmpty(inFlight))
  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(allEnded), options.stopGrace))
  yield* ClaimLoop.run({ ...options, begin, dispatcher, doubts, holdings, traffic })
  return inlet
})

/** What is still claimed is due at once for others: what was never sent without its attempt, what was broken off with it. */
const leave = Effect.fnUntraced(
  function* (dispatcher: DispatcherId, holdings: Holdings) {
    const store = yield* DeliveryStore
    const signals = yield* Signals
    const at = yield* DateTime.now
    const unsent = yield* store.giveBack({ dispatcher, begun: holdings.inDoubt, at })
    const brokenOff = yield* store.takeBack({ from: { _tag: "One", dispatcher }, at })
    if (unsent + brokenOff === 0) return
    yield* Effect.logInfo(
      `${brokenOff} deliveries were broken off, and ${unsent} not begun; they are due at once`
    )
    yield* signals.notify(["deliveries"])
  },
  Effect.interruptible,
  Effect.timeout(farewellMax),
  Effect.catchCause((cause) =>
    Effect.logWarning("What is under way could not be given back; it is due when its lease ends", cause)
  )
)
