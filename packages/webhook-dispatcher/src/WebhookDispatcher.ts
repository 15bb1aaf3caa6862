/**
 * Makes deliveries: claims those that are due, attempts each, stores what came
 * of it. Any number of dispatchers may work on one store. One that is killed
 * loses nothing: what it had claimed falls due again when the others no longer
 * hear of it, at the latest when the lease ends.
 */
import type { Delivery } from "@runhook/core/domain/Delivery"
import { DispatcherId, newId } from "@runhook/core/domain/Ids"
import type { ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import type { UsageStore } from "@runhook/core/ports/UsageStore"
import type { ServiceKeys } from "@runhook/core/ServiceKeys"
import { Tally } from "@runhook/core/Tally"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Attempts from "./Attempts.ts"
import * as ClaimLoop from "./ClaimLoop.ts"
import { Holdings } from "./Holdings.ts"
import { watch } from "./isolation/ReceiverWatch.ts"
import { Traffic } from "./isolation/Traffic.ts"
import * as WebhookMetrics from "./isolation/WebhookMetrics.ts"
import * as Peers from "./Peers.ts"
import type { Sender } from "./Sender.ts"
import * as Settler from "./Settler.ts"

export interface WebhookDispatcherOptions {
  /** Deliveries in flight at once, from their claim until their result is stored. Default: 256. */
  readonly concurrency: number
  /**
   * How long a claimed delivery is this dispatcher's own. Must be well above
   * the longest attempt, or receivers get events twice. Default: 45 s.
   */
  readonly lease: Duration.Duration
  /** Rest after each claim and each store of results, so that several are done at once. Default: 10 ms. */
  readonly pace: Duration.Duration
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
  lease: Duration.seconds(45),
  pace: Duration.millis(10),
  pollFloor: Duration.millis(250),
  pollCeiling: Duration.seconds(2),
  isAlone: false,
  startsAfter: Effect.void,
  stopGrace: Duration.seconds(17)
}

/** Longest wait at the end for the store to take back what is not done. */
const farewellMax = Duration.seconds(1)

/**
 * Runs a dispatcher. When its scope ends it claims nothing more, waits for what
 * is in flight, and leaves what is not done by then to others, due at once.
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
      const options = { ...optionsDefault, ...given }
      const dispatcher = yield* newId(DispatcherId)
      const holdings = new Holdings(options.lease)
      // Scopes end what began last first: the loop, then after a while the deliveries, then the settling of results,
      // and once nothing is under way any more the signs of life.
      const services = yield* Effect.context<DeliveryStore | Signals>()
      yield* Effect.addFinalizer(() => Effect.provide(leave(dispatcher, holdings), services))
      yield* options.isAlone ? Peers.succeedAll(dispatcher) : Peers.watch(dispatcher)
      const attempt = yield* Attempts.make
      const settle = yield* Settler.make(options)
      const tally = yield* Tally
      const traffic = new Traffic(options.concurrency)

      const inFlight = yield* FiberSet.make<void>()
      yield* Effect.addFinalizer(() =>
        Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(inFlight)), options.stopGrace)
      )

      const deliver = Effect.fnUntraced(function* (delivery: Delivery, probeOf: number | undefined) {
        const sending = Effect.gen(function* () {
          yield* WebhookMetrics.attemptBegins(delivery)
          const settlement = yield* attempt(delivery, () => holdings.sent(delivery))
          yield* WebhookMetrics.attemptEnded(settlement)
          return yield* watch(traffic.memory, { delivery, probeOf, settlement })
        })
        const settlement = yield* traffic.sending(delivery, sending)
        const end = yield* settle(settlement)
        if (end === "lost") return
        holdings.settled(delivery)
        tally.attempted(delivery, settlement)
      })

      yield* ClaimLoop.run({
        ...options,
        dispatcher,
        holdings,
        traffic,
        begin: (delivery, probeOf) =>
          FiberSet.run(inFlight, traffic.during(delivery, deliver(delivery, probeOf)))
      })
    })
  ).pipe(Layer.provide(Tally.layer))

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
