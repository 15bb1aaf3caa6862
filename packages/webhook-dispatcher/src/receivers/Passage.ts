/** What a delivery takes up of this process: a place until its receiver has answered, and less until its result is stored. */
import { isRetryInFlight } from "@runhook/core/domain/delivery/Delivery"
import { type Receiver, receiverOf } from "@runhook/core/domain/delivery/Receiver"
import type { ClaimedDelivery } from "@runhook/core/ports/DeliveryStore"

export interface Passage {
  readonly receiver: Receiver
  /** What failed before must not hold up what is new. */
  readonly isRetry: boolean
  /** Whether it came past the queue. */
  readonly isHandedOver: boolean
}

/** A delivery on its way through this process. */
export interface Flight extends ClaimedDelivery {
  readonly passage: Passage
}

/** The flight of a delivery that was claimed. */
export const flightOf = ({ delivery, probeOf }: ClaimedDelivery): Flight => ({
  delivery,
  probeOf,
  passage: {
    receiver: receiverOf(delivery),
    isRetry: isRetryInFlight(delivery),
    isHandedOver: false
  }
})
