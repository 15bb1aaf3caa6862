/** What a delivery takes up of this process: a place until its receiver has answered, and less until its result is stored. */
import { type Delivery } from "@runhook/core/domain/delivery/Delivery"
import { type Receiver, receiverOf } from "@runhook/core/domain/delivery/Receiver"

export interface Passage {
  readonly receiver: Receiver
  /** What failed before must not hold up what is new. */
  readonly isRetry: boolean
  /** Whether it came past the queue. */
  readonly isHandedOver: boolean
}

/** A delivery on its way through this process. */
export interface Flight {
  readonly delivery: Delivery
  readonly passage: Passage
  /** Counts the openings of the breaker that it probes; undefined when it probes none. */
  readonly probeOf: number | undefined
}

/** The flight of a delivery that was claimed. */
export const flightOf = (delivery: Delivery, probeOf: number | undefined): Flight => ({
  delivery,
  probeOf,
  passage: {
    receiver: receiverOf(delivery),
    isRetry: delivery.attempts > 1,
    isHandedOver: false
  }
})
