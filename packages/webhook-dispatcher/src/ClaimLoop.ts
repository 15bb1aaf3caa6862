/** Looks for deliveries that are due, as often as there may be some, and begins them. */
import type { Delivery } from "@runhook/core/domain/Delivery"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Traffic } from "./isolation/Traffic.ts"
import * as WebhookMetrics from "./isolation/WebhookMetrics.ts"

export interface ClaimLoopOptions {
  readonly traffic: Traffic
  /** Begins a delivery and does not wait for its end. `probeOf` counts the openings of the breaker that it probes. */
  readonly begin: (delivery: Delivery, probeOf: number | undefined) => Effect.Effect<unknown>
  /** How long a claimed delivery is this process' own. */
  readonly lease: Duration.Duration
  /** Rest after each claim. */
  readonly pace: Duration.Duration
  /** Longest wait before looking again, right after there was something to do. */
  readonly pollFloor: Duration.Duration
  /** What that wait grows to while there is nothing to do. */
  readonly pollCeiling: Duration.Duration
}

/** Runs until the scope ends. What is claimed is begun, whenever that is. */
export const run = Effect.fnUntraced(function* (options: ClaimLoopOptions) {
  const { begin, lease, traffic } = options
  const store = yield* DeliveryStore
  const signal = yield* (yield* Signals).subscribe(["deliveries"])

  const claim = Effect.gen(function* () {
    const at = yield* DateTime.now
    const { deliveries, nextDueAt, oldestDueAt, probes } = yield* store.claimDue({
      room: traffic.takeRoom(),
      lease,
      at
    })
    yield* Effect.forEach(deliveries, (delivery) => begin(delivery, probes.get(delivery.id)), {
      discard: true
    })
    const untilNext = nextDueAt === null ? Duration.infinity : DateTime.distance(at, nextDueAt)
    yield* WebhookMetrics.claimEnded(DateTime.distance(oldestDueAt ?? at, at))
    return { hasFound: deliveries.length > 0, untilNext }
  }).pipe(Effect.uninterruptible)

  let poll = options.pollFloor

  const pause = (untilNext: Duration.Duration) => {
    const wait = Duration.isPositive(untilNext) ? Duration.min(untilNext, poll) : poll
    poll = Duration.min(Duration.times(poll, 2), options.pollCeiling)
    return Effect.timeoutOption(Effect.raceFirst(signal, traffic.hasMoreRoom), wait)
  }

  const round = Effect.gen(function* () {
    yield* traffic.hasRoom
    const { hasFound, untilNext } = yield* claim
    yield* Effect.sleep(options.pace)
    if (hasFound) poll = options.pollFloor
    const isMoreDue = hasFound && !Duration.isPositive(untilNext)
    if (!isMoreDue) yield* pause(untilNext)
  })

  yield* round.pipe(
    // A failed round is an operator's problem, never the end of the loop.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.andThen(Effect.logError("Deliveries could not be claimed", cause), pause(Duration.infinity))
    ),
    Effect.forever,
    Effect.forkScoped
  )
})
