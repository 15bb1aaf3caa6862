/** Claims deliveries that are due, as often as there may be some, and begins them. */
import type { DispatcherId } from "@runhook/core/shared/Ids"
import { receiverOf } from "@runhook/core/deliveries/claim/Receiver"
import { type ClaimedDelivery, DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { Signals } from "@runhook/core/signals/Signals"
import { changeOf } from "@runhook/core/signals/ChangeSignals"
import * as Loop from "@runhook/core/engine/Loop"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { DispatcherOptions } from "./DispatcherOptions.ts"
import { type InFlight, inFlightOf } from "./receivers/Receiver.ts"
import type { Receivers } from "./receivers/Receivers.ts"
import type { Returns } from "./Returns.ts"
import * as WebhookMetrics from "./WebhookMetrics.ts"

export interface ClaimLoopOptions extends Pick<
  DispatcherOptions,
  "lease" | "pace" | "pollCeiling" | "pollFloor" | "startsAfter"
> {
  readonly dispatcher: DispatcherId
  readonly receivers: Receivers
  readonly returns: Returns
  /** Lets a delivery wait for its turn. */
  readonly begin: (inFlight: InFlight) => void
}

/** Runs until the scope ends. A claim is never interrupted between claiming and beginning. */
export const run = Effect.fnUntraced(function* (options: ClaimLoopOptions) {
  const { begin, dispatcher, lease, receivers, returns } = options
  const store = yield* DeliveryStore
  const signals = yield* Signals
  const signal = yield* signals.subscribe(["deliveries"])

  const claim = Effect.gen(function* () {
    const at = yield* DateTime.now
    const room = receivers.beginClaim()
    const { deliveries, nextDueAt, oldestDueAt } = yield* store.claimDue({ dispatcher, room, lease, at })
    // Not before the lease began by the clock of the store.
    const { epochMilliseconds: leasedAt } = yield* DateTime.now
    const claimed = deliveries.map((each) => {
      const receiver = receivers.at(receiverOf(each.delivery))
      return inFlightOf(each, { receiver, leasedAt, isHandedOver: false })
    })
    const placed = receivers.endClaim(room, claimed)
    for (const inFlight of claimed) if (!placed.has(inFlight)) returns.giveBack(inFlight)
    for (const inFlight of placed) begin(inFlight)
    yield* signals.notify(deliveries.map(attempted))
    const untilNext = nextDueAt === null ? Duration.infinity : DateTime.distance(at, nextDueAt)
    yield* WebhookMetrics.claimEnded(DateTime.distance(oldestDueAt ?? at, at))
    return { hasFound: deliveries.length > 0, untilNext }
  }).pipe(
    Effect.onError(() => Effect.map(DateTime.now, returns.suspect)),
    Effect.uninterruptible
  )

  let poll = options.pollFloor

  const pause = (untilNext: Duration.Duration) => {
    const wait = Duration.isPositive(untilNext) ? Duration.min(untilNext, poll) : poll
    poll = Duration.min(Duration.times(poll, 2), options.pollCeiling)
    return Effect.timeoutOption(Effect.raceFirst(signal, receivers.moreToClaim), wait)
  }

  const round = Effect.gen(function* () {
    yield* receivers.someRoom
    yield* returns.search
    const { hasFound, untilNext } = yield* claim
    yield* Effect.sleep(options.pace)
    if (hasFound) poll = options.pollFloor
    const isMoreDue = hasFound && !Duration.isPositive(untilNext)
    if (!isMoreDue) yield* pause(untilNext)
  })

  const rounds = Loop.forever(round, {
    failure: "Deliveries could not be claimed",
    afterFailure: Effect.suspend(() => pause(Duration.infinity))
  })
  yield* Effect.forkScoped(Effect.andThen(options.startsAfter, rounds))
})

const attempted = ({ delivery: { accountId, id, state } }: ClaimedDelivery) =>
  changeOf(accountId, "delivery", { id, state, isNew: false })
