/**
 * Makes deliveries: claims those that are due, attempts each, stores what came
 * of it. Any number of dispatchers may work on one store. One that is killed
 * loses nothing: what it had claimed falls due again when the lease ends.
 */
import type { Delivery } from "@runhook/core/domain/Delivery"
import type { ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import type { ServiceKeys } from "@runhook/core/ServiceKeys"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Attempts from "./Attempts.ts"
import * as Places from "./Places.ts"
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
      const signals = yield* Signals
      const store = yield* DeliveryStore
      const attempt = yield* Attempts.make
      const settle = yield* Settler.make(options)
      const places = yield* Places.make(options.concurrency)

      // Scopes end what began last first: the loop, then after a while the deliveries, then the settling of results.
      const inFlight = yield* FiberSet.make<void>()
      yield* Effect.addFinalizer(() =>
        Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(inFlight)), options.stopGrace)
      )
      const signal = yield* signals.subscribe(["deliveries"])

      const deliver = (delivery: Delivery) => places.occupy(Effect.flatMap(attempt(delivery), settle))

      const claim = Effect.fnUntraced(function* (limit: number) {
        const at = yield* DateTime.now
        const { deliveries, nextDueAt } = yield* store.claimDue({ limit, lease: options.lease, at })
        yield* Effect.forEach(deliveries, (delivery) => FiberSet.run(inFlight, deliver(delivery)), {
          discard: true
        })
        const untilNext = nextDueAt === null ? Duration.infinity : DateTime.distance(at, nextDueAt)
        return { hasFound: deliveries.length > 0, untilNext }
      }, Effect.uninterruptible)

      let poll = options.pollFloor

      const pause = (untilNext: Duration.Duration) => {
        const wait = Duration.isPositive(untilNext) ? Duration.min(untilNext, poll) : poll
        poll = Duration.min(Duration.times(poll, 2), options.pollCeiling)
        return Effect.timeoutOption(signal, wait)
      }

      const round = Effect.gen(function* () {
        const { hasFound, untilNext } = yield* claim(yield* places.free)
        if (hasFound) poll = options.pollFloor
        const isMoreDue = hasFound && !Duration.isPositive(untilNext)
        if (!isMoreDue) yield* pause(untilNext)
      })

      yield* round.pipe(
        // A failed round is an operator's problem, never the end of the loop.
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.andThen(
                Effect.logError("Deliveries could not be claimed", cause),
                pause(Duration.infinity)
              )
        ),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
