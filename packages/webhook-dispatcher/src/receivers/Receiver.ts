/** A receiver as this process sees it: how it has answered lately, and what is in flight to it. */
import { isRetryInFlight } from "@runhook/core/deliveries/Delivery"
import type { Receiver as ReceiverName } from "@runhook/core/deliveries/claim/Receiver"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { ClaimedDelivery } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import { concurrencyAfter, concurrencyStart, initialConcurrency } from "./AdaptiveConcurrency.ts"
import type { AttemptSignal } from "./AttemptSignal.ts"
import { failuresAfter } from "./CircuitBreaker.ts"
import { answerMsAfter, lowWaterOf, type Pace, windowOf } from "./LeaseWindow.ts"

/** What the receivers of one account share. */
export interface Account {
  readonly id: AccountId
  readonly receivers: Map<string, Receiver>
  /** What its unanswered deliveries count as. */
  units: number
  /** Those of them that are sent. */
  sending: number
  /** What the latest claim has left of the room that it was offered. */
  room: number
  /** Whether a claim took all its room, so that more may be due to it. */
  isSaturated: boolean
}

export class Receiver implements Pace {
  readonly name: ReceiverName
  readonly account: Account
  concurrency = initialConcurrency
  failures = 0
  /** Also null when it is slower than it was: then nothing more waits for it until it answers. */
  answerMs: number | null = null
  /** Until when its breaker is open, if this process opened it. */
  openUntil: DateTime.Utc | null = null
  /** Deliveries for it that this process holds, and places that are kept for some. */
  held = 0
  /** Those of them that it has not answered, whether they are sent or wait. */
  unanswered = 0
  /** As of its account. */
  room = concurrencyStart
  isSaturated = false
  /** In order of arrival: of one execution, the earlier event first. */
  readonly waiting = new Set<InFlight>()
  readonly sending = new Set<InFlight>()
  /** Those whose answers stop it. Nothing else is sent until that is stored. */
  readonly stopping = new Set<InFlight>()

  constructor(account: Account, origin: string) {
    this.account = account
    this.name = { accountId: account.id, origin }
  }

  /** Records what one more attempt said, and how long it took. */
  record(signal: AttemptSignal, durationMs: number): void {
    this.concurrency = concurrencyAfter(this.concurrency, signal)
    this.failures = failuresAfter(this.failures, signal)
    if (signal !== "unreached") this.answerMs = answerMsAfter(this.answerMs, durationMs)
  }

  /** Its breaker is open until then, or closed, and its failures count from zero. */
  breakerMoved(openUntil: DateTime.Utc | null): void {
    this.openUntil = openUntil
    this.failures = 0
    this.answerMs = null
  }

  isOpen(at: number): boolean {
    return this.openUntil !== null && this.openUntil.epochMilliseconds > at
  }

  /** How many more may be leased for it. */
  get free(): number {
    return Math.max(0, windowOf(this) - this.unanswered)
  }

  /** Whether so little of its line is left that another claim may bring more. */
  get isLow(): boolean {
    return this.unanswered <= lowWaterOf(this)
  }

  /** Whether nothing but how it has answered is lost if it is forgotten. */
  get isIdle(): boolean {
    return this.held === 0 && !this.isSaturated && !this.account.isSaturated
  }
}

/** Characters of bodies that take up the room of one delivery. */
export const bodyUnit = 32 * 1024

/** What a delivery takes up: room until its receiver has answered, and less until its result is stored. */
export interface Permit {
  readonly receiver: Receiver
  /** Earlier failures must not hold up new deliveries. */
  readonly isRetry: boolean
  /** Whether it came past the queue. */
  readonly isHandedOver: boolean
  /** The units that it takes of what this process holds, so that bodies are bounded as well. */
  readonly units: number
  isAnswered: boolean
  hasLeft: boolean
}

/** A delivery on its way from its lease to the settle. */
export interface InFlight extends ClaimedDelivery, Permit {
  /** In milliseconds. Not before its lease began by the clock of the store. */
  readonly leasedAt: number
  /** Unsent, perhaps sent, or on its way back. */
  stage: "returning" | "sent" | "unsent"
}

export const inFlightOf = (
  { behind, delivery, probeOf }: ClaimedDelivery,
  { isHandedOver, leasedAt, receiver }: Pick<InFlight, "isHandedOver" | "leasedAt" | "receiver">
): InFlight => ({
  delivery,
  behind,
  probeOf,
  receiver,
  isRetry: isRetryInFlight(delivery),
  isHandedOver,
  units: 1 + Math.floor(delivery.body.length / bodyUnit),
  leasedAt,
  isAnswered: false,
  hasLeft: false,
  stage: "unsent"
})
