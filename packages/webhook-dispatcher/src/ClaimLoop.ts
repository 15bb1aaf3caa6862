/** Looks for deliveries that are due, as often as there may be some, and begins them. */
import { changeOf } from "@runhook/core/runtime/ChangeSignals"
import type { DispatcherId } from "@runhook/core/domain/Ids"
import { type ClaimedDelivery, DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Doubts } from "./Doubts.ts"
import type { Holdings } from "./Holdings.ts"
import { type Flight, flightOf } from "./receivers/Passage.ts"
import type { InFlightLimits } from "./receivers/InFlightLimits.ts"
import * as WebhookMetrics from "./WebhookMetrics.ts"

export interface ClaimLoopOptions {
  readonly dispatcher: DispatcherId
  readonly traffic: InFlightLimits
  readonly holdings: Holdings
  readonly doubts: Doubts
  /** Begins a flight and does not wait for its end. */
  readonly begin: (flight: Flight) => void
  /** What has to be there before the first claim. */
  readonly startsAfter: Effect.Effect<void>
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
  const { begin, dispatcher, doubts, holdings, lease, traffic } = options
  const store = yield* DeliveryStore
  const signals = yield* Signals
  const signal = yield* signals.subscribe(["deliveries"])

  const claim = Effect.gen(function* () {
    const at = yield* DateTime.now
    const room = traffic.takeRoom()
    const { deliveries, nextDueAt, oldestDueAt } = yield* store.claimDue({
      dispatcher,
      room,
      lease,
      at
    })
    // Not before the lease began by the clock of the store.
    const claimedAt = yield* DateTime.now
    const flights = deliveries.map(flightOf)
    const placed = traffic.claimed(room, flights)
    for (const flight of placed) {
      holdings.began(flight.delivery, claimedAt)
      begin(flight)
    }
    if (placed.length < flights.length) doubts.began(claimedAt)
    yield* signals.notify(deliveries.map(attempted))
    const untilNext = nextDueAt === null ? Duration.infinity : DateTime.distance(at, nextDueAt)
    yield* WebhookMetrics.claimEnded(DateTime.distance(oldestDueAt ?? at, at))
    return { hasFound: deliveries.length > 0, untilNext }
  }).pipe(
    Effect.onError(() => Effect.map(DateTime.now, (at) => doubts.began(at))),
    Effect.uninterruptible
  )

  const giveBackDoubtful = Effect.gen(function* () {
    const at = yield* DateTime.now
    if (!doubts.isDue(at)) return
    const count = yield* doubts.looking(store.giveBack({ dispatcher, begun: holdings.known(at), at }))
    if (count > 0) yield* Effect.logInfo(`${count} deliveries that were claimed and not begun are due again`)
    doubts.looked(at)
  })

  let poll = options.pollFloor

  const pause = (untilNext: Duration.Duration) => {
    const wait = Duration.isPositive(untilNext) ? Duration.min(untilNext, poll) : poll
    poll = Duration.min(Duration.times(poll, 2), options.pollCeiling)
    return Effect.timeoutOption(Effect.raceFirst(signal, traffic.hasMoreRoom), wait)
  }

  const round = Effect.gen(function* () {
    yield* traffic.hasRoom
    yield* giveBackDoubtful
    const { hasFound, untilNext } = yield* claim
    yield* Effect.sleep(options.pace)
    if (hasFound) poll = options.pollFloor
    const isMoreDue = hasFound && !Duration.isPositive(untilNext)
    if (!isMoreDue) yield* pause(untilNext)
  })

  const rounds = round.pipe(
    // A failed round is an operator's problem, never the end of the loop.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.andThen(Effect.logError("Deliveries could not be claimed", cause), pause(Duration.infinity))
    ),
    Effect.forever
  )
  yield* Effect.forkScoped(Effect.andThen(options.startsAfter, rounds))
})

const attempted = ({ delivery: { accountId, id, state } }: ClaimedDelivery) =>
  changeOf(accountId, "delivery", { id, state, isNew: false })
