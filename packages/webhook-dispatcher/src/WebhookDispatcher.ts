/**
 * Makes deliveries: claims those that are due, attempts each, stores what came
 * of it. Any number of dispatchers may work on one store. One that is killed
 * loses nothing: what it had claimed falls due again when the lease ends.
 */
import type { Delivery } from "@runhook/core/domain/Delivery"
import type { ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import type { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import type { Signals } from "@runhook/core/ports/Signals"
import type { ServiceKeys } from "@runhook/core/ServiceKeys"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Attempts from "./Attempts.ts"
import * as ClaimLoop from "./ClaimLoop.ts"
import { watch } from "./isolation/ReceiverWatch.ts"
import { Traffic } from "./isolation/Traffic.ts"
import * as WebhookMetrics from "./isolation/WebhookMetrics.ts"
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
  /** Longest wait at the end for deliveries in flight and their results. Default: 17 s, the longest attempt and a little more. */
  readonly stopGrace: Duration.Duration
}

export const optionsDefault: WebhookDispatcherOptions = {
  concurrency: 256,
  lease: Duration.seconds(45),
  pace: Duration.millis(10),
  pollFloor: Duration.millis(250),
  pollCeiling: Duration.seconds(2),
  stopGrace: Duration.seconds(17)
}

/** Runs a dispatcher. When its scope ends it claims nothing more, and waits for what is in flight. */
export const layer = (
  given: Partial<WebhookDispatcherOptions> = {}
): Layer.Layer<never, never, ApiKeyStore | DeliveryStore | Sender | ServiceKeys | Signals> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const options = { ...optionsDefault, ...given }
      const attempt = yield* Attempts.make
      const settle = yield* Settler.make(options)
      const traffic = new Traffic(options.concurrency)

      // Scopes end what began last first: the loop, then after a while the deliveries, then the settling of results.
      const inFlight = yield* FiberSet.make<void>()
      yield* Effect.addFinalizer(() =>
        Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(inFlight)), options.stopGrace)
      )

      const deliver = Effect.fnUntraced(function* (delivery: Delivery, probeOf: number | undefined) {
        const sending = Effect.gen(function* () {
          yield* WebhookMetrics.attemptBegins(delivery)
          const settlement = yield* attempt(delivery)
          yield* WebhookMetrics.attemptEnded(settlement)
          return yield* watch(traffic.memory, { delivery, probeOf, settlement })
        })
        yield* settle(yield* traffic.sending(delivery, sending))
      })

      yield* ClaimLoop.run({
        ...options,
        traffic,
        begin: (delivery, probeOf) =>
          FiberSet.run(inFlight, traffic.during(delivery, deliver(delivery, probeOf)))
      })
    })
  )
