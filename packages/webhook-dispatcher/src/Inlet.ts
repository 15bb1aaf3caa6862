/**
 * Takes deliveries that this process has caused itself, past the queue, as many
 * as it has room for beside what it claims. Where something older waits for
 * the same room, nothing new is taken: it would pass that by.
 */
import { BoundedMap } from "@runhook/core/runtime/BoundedMap"
import type { ExecutionId } from "@runhook/core/domain/Ids"
import { type Receiver, receiverOf } from "@runhook/core/domain/delivery/Receiver"
import type { ComingEvent, DeliveryInlet, KeptPlace } from "@runhook/core/ports/DeliveryInlet"
import type * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Doubts } from "./Doubts.ts"
import type { Holdings } from "./Holdings.ts"
import type { Flight, Passage } from "./receivers/Passage.ts"
import type { InFlightLimits } from "./receivers/InFlightLimits.ts"

/** Executions whose receivers are remembered, for the events of theirs that come without a URL. */
const rememberedMax = 10_000

export interface InletOptions extends Pick<DeliveryInlet, "dispatcher" | "lease"> {
  readonly clock: Clock.Clock
  readonly traffic: InFlightLimits
  readonly holdings: Holdings
  readonly doubts: Doubts
  /** Begins a flight whose place is taken, and does not wait for its end. */
  readonly begin: (flight: Flight) => void
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
    const { doubts, holdings, traffic } = this.#options
    if (!this.#isOpen || doubts.isLooking || receiver === undefined || !this.#isFreeFor(receiver)) return null
    const passage: Passage = { receiver, isRetry: false, isHandedOver: true }
    traffic.handedOver(passage)
    holdings.expected(event.id)
    this.#noneKept.closeUnsafe()
    return this.#placeOf(event, passage)
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
    const { clock, traffic } = this.#options
    const { openUntil } = traffic.memory.of(receiver)
    const isLeftAlone = openUntil !== null && openUntil.epochMilliseconds > clock.currentTimeMillisUnsafe()
    return !isLeftAlone && traffic.hasRoomFor(receiver)
  }

  #placeOf({ id }: ComingEvent, passage: Passage): KeptPlace {
    const { begin, clock, doubts, holdings, traffic } = this.#options
    let isKept = true
    const end = (then: () => void) => {
      if (!isKept) return
      isKept = false
      then()
      holdings.expectedNoMore(id)
      if (holdings.expectedCount === 0) this.#noneKept.openUnsafe()
    }
    const now = () => DateTime.makeUnsafe(clock.currentTimeMillisUnsafe())
    return {
      begin: (delivery) =>
        end(() => {
          holdings.began(delivery, now())
          begin({ delivery, passage, probeOf: null })
        }),
      free: () => end(() => traffic.left(passage)),
      doubt: () =>
        end(() => {
          traffic.left(passage)
          doubts.began(now())
        })
    }
  }
}
