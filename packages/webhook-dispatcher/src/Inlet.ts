/**
 * Takes deliveries that this process has caused itself, past the queue, as far as there is room besides claims. While
 * something older waits for the same room it takes nothing, so that new deliveries do not overtake it.
 */
import { destinationOf } from "@runhook/core/deliveries/Delivery"
import type { Receiver as ReceiverName } from "@runhook/core/deliveries/claim/Receiver"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import type { ComingEvent, DeliveryInlet, ReservedPlace } from "@runhook/core/deliveries/queue/DeliveryInlet"
import { BoundedMap } from "@runhook/core/engine/BoundedMap"
import type * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { LeasedDeliveries } from "./LeasedDeliveries.ts"
import { type InFlight, inFlightOf, type Receiver } from "./receivers/Receiver.ts"
import type { Receivers } from "./receivers/Receivers.ts"
import type { Returns } from "./Returns.ts"

/** Executions whose receivers are cached, for those of their callbacks that come without a URL. */
const rememberedMax = 10_000

export type Inlet = ReturnType<typeof make>

export const make = (options: {
  readonly clock: Clock.Clock
  readonly receivers: Receivers
  readonly leased: LeasedDeliveries
  readonly returns: Returns
  /** Lets a delivery wait for its turn, whose place is kept. */
  readonly begin: (inFlight: InFlight) => void
}) => {
  const { begin, clock, leased, receivers, returns } = options
  const names = new BoundedMap<ExecutionId, ReceiverName>(rememberedMax)
  const noneKept = Latch.makeUnsafe(true)
  let isOpen = true

  /** Remembers where the callbacks of an execution go. */
  const remember = (executionId: ExecutionId, { name }: Receiver): void => {
    if (names.get(executionId) !== name) names.set(executionId, name)
  }

  const receiverOf = ({ accountId, endpointId, executionId, url }: ComingEvent): Receiver | undefined => {
    const name = url === null ? names.get(executionId) : { accountId, origin: destinationOf(url) }
    if (name === undefined) return undefined
    const receiver = receivers.at(name)
    if (endpointId === null) remember(executionId, receiver)
    return receiver
  }

  const reservePlace: DeliveryInlet["reservePlace"] = (event): ReservedPlace | null => {
    const receiver = receiverOf(event)
    if (!isOpen || returns.isSearching() || receiver === undefined) return null
    const place = receiver.isOpen(clock.currentTimeMillisUnsafe()) ? null : receivers.reservePlace(receiver)
    if (place === null) return null
    leased.expect(event.id)
    noneKept.closeUnsafe()
    let isKept = true
    /** Runs once, and passes the moment. */
    const end = (what: (at: number) => void): void => {
      if (!isKept) return
      isKept = false
      what(clock.currentTimeMillisUnsafe())
      if (leased.expectNoMore(event.id)) noneKept.openUnsafe()
    }
    return {
      begin: (delivery, behind) =>
        end((leasedAt) => {
          const claimed = { delivery, behind, probeOf: null }
          const inFlight = inFlightOf(claimed, { receiver, leasedAt, isHandedOver: true })
          receivers.takePlace(place, inFlight)
          begin(inFlight)
        }),
      free: () => end(() => receivers.leave(place)),
      doubt: () =>
        end((at) => {
          receivers.leave(place)
          returns.suspect(DateTime.makeUnsafe(at))
        })
    }
  }

  /** Reserves no more places, and waits for those that are reserved. */
  const close = Effect.suspend(() => {
    isOpen = false
    return noneKept.await
  })

  return { close, reservePlace, remember }
}
