/** What a delivery takes up of this process: room until its receiver has answered, and less until its result is stored. */
import { type Delivery, isRetryInFlight } from "@runhook/core/domain/delivery/Delivery"
import { type Receiver, receiverOf } from "@runhook/core/domain/delivery/Receiver"
import type { ClaimedDelivery } from "@runhook/core/ports/DeliveryStore"
import type * as DateTime from "effect/DateTime"

/** Characters of bodies that take up the room of one delivery. */
export const bodyUnit = 32 * 1024

export interface Permit {
  readonly receiver: Receiver
  /** What failed before must not hold up what is new. */
  readonly isRetry: boolean
  /** Whether it came past the queue. */
  readonly isHandedOver: boolean
  /** What it counts as of what this process holds, so that bodies are bounded as well. */
  readonly units: number
}

/** A delivery on its way from its lease to the settle. */
export interface InFlightDelivery extends ClaimedDelivery {
  readonly permit: Permit
  readonly leasedAt: DateTime.Utc
}

export const unitsOf = ({ body }: Pick<Delivery, "body">): number => 1 + Math.floor(body.length / bodyUnit)

/** What was claimed, with the permit it needs. */
export const inFlightOf = (claimed: ClaimedDelivery, leasedAt: DateTime.Utc): InFlightDelivery => ({
  ...claimed,
  leasedAt,
  permit: {
    receiver: receiverOf(claimed.delivery),
    isRetry: isRetryInFlight(claimed.delivery),
    isHandedOver: false,
    units: unitsOf(claimed.delivery)
  }
})
