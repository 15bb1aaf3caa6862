/**
 * Takes deliveries that this process has caused itself, past the queue: as many
 * as there is room for beside what it claims. Where something older waits for
 * the same room nothing new is taken, so that it passes nothing by.
 */
import { type Receiver, receiverOf } from "@runhook/core/domain/delivery/Receiver"
import type { ExecutionId } from "@runhook/core/domain/Ids"
import type { ComingEvent, DeliveryInlet, KeptPlace } from "@runhook/core/ports/DeliveryInlet"
import { BoundedMap } from "@runhook/core/runtime/BoundedMap"
import type * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { LeasedDeliveries } from "./LeasedDeliveries.ts"
import type { InFlightLimits } from "./receivers/InFlightLimits.ts"
import { type InFlightDelivery, type Permit, unitsOf } from "./receivers/Permit.ts"
import type { Returns } from "./Returns.ts"

/** Executions whose receivers are remembered, for those of their events that come without a URL. */
const rememberedMax = 10_000

export interface InletOptions extends Pick<DeliveryInlet, "dispatcher" | "lease"> {
  readonly clock: Clock.Clock
  readonly limits: InFlightLimits
  readonly leased: LeasedDeliveries
  readonly returns: Returns
  /** Lets a delivery wait for its turn, whose place is kept. */
  readonly begin: (inFlight: InFlightDelivery) => void
}

export class Inlet implements DeliveryInlet {
  readonly dispatcher: DeliveryInlet["dispatcher"]
  readonly lease: DeliveryInlet["lease"]
  readonly #options: InletOptions
  readonly #receivers = new BoundedMap<ExecutionId, Receiver>(rememberedMax)
  readonly #noneKept = Latch.makeUnsafe(true)
  #isOpen = true

  constructor(options: InletOptions) {
    this.#options = options
    this.dispatcher = options.dispatcher
    this.lease = options.lease
  }

  keepPlace(event: ComingEvent): KeptPlace | null {
    const receiver = this.#receiverOf(event)
    const { leased, limits, returns } = this.#options
    if (!this.#isOpen || returns.isSearching() || receiver === undefined || !this.#isFreeFor(receiver))
      return null
    const permit: Permit = { receiver, isRetry: false, isHandedOver: true, units: 1 }
    limits.reserve(permit)
    leased.expect(event.id)
    this.#noneKept.closeUnsafe()
    return this.#placeOf(event, permit)
  }

  /** Where the events of an execution go. */
  remember(executionId: ExecutionId, receiver: Receiver): void {
    this.#receivers.set(executionId, receiver)
  }

  /** Keeps no more places, and waits for those that are kept. */
  get close(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#isOpen = false
      return this.#noneKept.await
    })
  }

  #receiverOf({ accountId, executionId, url }: ComingEvent): Receiver | undefined {
    if (url === null) return this.#receivers.get(executionId)
    const receiver = receiverOf({ accountId, url })
    this.remember(executionId, receiver)
    return receiver
  }

  #isFreeFor(receiver: Receiver): boolean {
    const { clock, limits } = this.#options
    const { openUntil } = limits.stats.of(receiver)
    const isOpen = openUntil !== null && openUntil.epochMilliseconds > clock.currentTimeMillisUnsafe()
    return !isOpen && limits.admits(receiver)
  }

  #placeOf({ id }: ComingEvent, permit: Permit): KeptPlace {
    const { begin, clock, leased, limits, returns } = this.#options
    let isKept = true
    const end = (then: () => void) => {
      if (!isKept) return
      isKept = false
      then()
      leased.expectNoMore(id)
      if (leased.expectedCount === 0) this.#noneKept.openUnsafe()
    }
    const now = () => DateTime.makeUnsafe(clock.currentTimeMillisUnsafe())
    return {
      begin: (delivery, behind) =>
        end(() => {
          const measured = limits.measured(permit, unitsOf(delivery))
          begin({ delivery, behind, permit: measured, probeOf: null, leasedAt: now() })
        }),
      free: () => end(() => limits.release(permit)),
      doubt: () =>
        end(() => {
          limits.release(permit)
          returns.suspect(now())
        })
    }
  }
}
