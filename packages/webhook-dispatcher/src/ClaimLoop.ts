/** Looks for deliveries that are due, as often as there may be some, and begins them. */
import { changeOf } from "@runhook/core/ChangeSignals"
import type { Delivery } from "@runhook/core/domain/Delivery"
import type { DispatcherId } from "@runhook/core/domain/Ids"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { Signals } from "@runhook/core/ports/Signals"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Holdings } from "./Holdings.ts"
import type { Traffic } from "./isolation/Traffic.ts"
import * as WebhookMetrics from "./isolation/WebhookMetrics.ts"

export interface ClaimLoopOptions {
  readonly dispatcher: DispatcherId
  readonly traffic: Traffic
  readonly holdings: Holdings
  /** Begins a delivery and does not wait for its end. `probeOf` counts the openings of the breaker that it probes. */
  readonly begin: (delivery: Delivery, probeOf: number | undefined) => Effect.Effect<unknown>
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

/** Between looks for what a claim that failed may have claimed all the same. */
const lostEvery = Duration.seconds(1)

/** Runs until the scope ends. What is claimed is begun, whenever that is. */
export const run = Effect.fnUntraced(function* (options: ClaimLoopOptions) {
  const { begin, dispatcher, holdings, lease, traffic } = options
  const store = yield* DeliveryStore
  const signals = yield* Signals
  const signal = yield* signals.subscribe(["deliveries"])

  /**
   * A claim that failed may have been made, and its answer lost: now, or as
   * late as its lease would end, since a database that hangs goes on with it.
   */
  let lost: { readonly until: DateTime.Utc; readonly lookAt: DateTime.Utc } | undefined

  const claim = Effect.gen(function* () {
    const at = yield* DateTime.now
    const { deliveries, nextDueAt, oldestDueAt, probes } = yield* store.claimDue({
      dispatcher,
      room: traffic.takeRoom(),
      lease,
      at
    })
    // Not before the lease began by the clock of the store.
    const claimedAt = yield* DateTime.now
    for (const delivery of deliveries) {
      holdings.began(delivery, claimedAt)
      yield* begin(delivery, probes.get(delivery.id))
    }
    yield* signals.notify(deliveries.map(attempted))
    const untilNext = nextDueAt === null ? Duration.infinity : DateTime.distance(at, nextDueAt)
    yield* WebhookMetrics.claimEnded(DateTime.distance(oldestDueAt ?? at, at))
    return { hasFound: deliveries.length > 0, untilNext }
  }).pipe(
    Effect.onError(() =>
      Effect.map(DateTime.now, (at) => {
        lost = { until: DateTime.addDuration(at, lease), lookAt: at }
      })
    ),
    Effect.uninterruptible
  )

  const giveBackLost = Effect.gen(function* () {
    const at = yield* DateTime.now
    if (lost === undefined || DateTime.isLessThan(at, lost.lookAt)) return
    const count = yield* store.giveBack({ dispatcher, begun: holdings.known(at), at })
    if (count > 0) yield* Effect.logInfo(`${count} deliveries whose claim was not answered are claimed again`)
    const isOver = DateTime.isGreaterThanOrEqualTo(at, lost.until)
    lost = isOver ? undefined : { ...lost, lookAt: DateTime.addDuration(at, lostEvery) }
  })

  let poll = options.pollFloor

  const pause = (untilNext: Duration.Duration) => {
    const wait = Duration.isPositive(untilNext) ? Duration.min(untilNext, poll) : poll
    poll = Duration.min(Duration.times(poll, 2), options.pollCeiling)
    return Effect.timeoutOption(Effect.raceFirst(signal, traffic.hasMoreRoom), wait)
  }

  const round = Effect.gen(function* () {
    yield* traffic.hasRoom
    yield* giveBackLost
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

const attempted = ({ accountId, id, state }: Delivery) =>
  changeOf(accountId, "delivery", { id, state, isNew: false })
