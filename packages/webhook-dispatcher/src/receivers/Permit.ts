/** What a delivery takes up of this process: a place until its receiver has answered, and less until its result is stored. */
import { isRetryInFlight } from "@runhook/core/domain/delivery/Delivery"
import { type Receiver, receiverOf } from "@runhook/core/domain/delivery/Receiver"
import type { ClaimedDelivery } from "@runhook/core/ports/DeliveryStore"

export interface Permit {
  readonly receiver: Receiver
  /** What failed before must not hold up what is new. */
  readonly isRetry: boolean
  /** Whether it came past the queue. */
  readonly isHandedOver: boolean
}

/** A delivery on its way from the claim to the settle. */
export interface InFlightDelivery extends ClaimedDelivery {
  readonly permit: Permit
}

/** What was claimed, with the permit it needs. */
export const inFlightOf = ({ behind, delivery, probeOf }: ClaimedDelivery): InFlightDelivery => ({
  delivery,
  probeOf,
  behind,
  permit: {
    receiver: receiverOf(delivery),
    isRetry: isRetryInFlight(delivery),
    isHandedOver: false
  }
})
