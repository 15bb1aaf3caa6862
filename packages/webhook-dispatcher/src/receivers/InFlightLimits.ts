/** What this process has in flight, by receiver and by account. From it follows what else may be claimed or handed over. */
import type { Receiver } from "@runhook/core/domain/delivery/Receiver"
import type { AccountId } from "@runhook/core/domain/Ids"
import { type ClaimRoom, roomFor } from "@runhook/core/ports/DeliveryStore"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { concurrencyStart } from "./AdaptiveConcurrency.ts"
import type { Permit } from "./Permit.ts"
import { quotasOf, type Quotas } from "./Quotas.ts"
import { ReceiverStats } from "./ReceiverStats.ts"
import { Saturation } from "./Saturation.ts"

export interface InFlightOptions {
  /** Deliveries sent at once. */
  readonly places: number
  /** Deliveries at once that are being sent, or whose results wait to be stored. */
  readonly heldMax: number
}

/** What happens while a claim is on its way to the store. */
interface DuringClaim {
  readonly answered: Array<Permit>
  handedOver: number
}

export class InFlightLimits {
  readonly stats = new ReceiverStats()

  readonly #heldMax: number
  readonly #quotas: Quotas
  readonly #accounts = new Map<AccountId, number>()
  readonly #moreRoom = Latch.makeUnsafe()
  /** Those that have a place. Those that no longer have one wait for their results to be stored. */
  readonly #sending = new Set<Permit>()
  #saturation = new Saturation(roomFor(1), [])
  #duringClaim: DuringClaim | undefined
  #held = 0
  #retries = 0
  #handedOver = 0

  constructor({ heldMax, places }: InFlightOptions) {
    this.#heldMax = heldMax
    this.#quotas = quotasOf(places)
  }

  /** Begins a claim: what may be claimed now. */
  beginClaim(): ClaimRoom {
    this.#moreRoom.closeUnsafe()
    this.#duringClaim = { answered: [], handedOver: 0 }
    const { account, retries } = this.#quotas
    return {
      total: this.#room,
      retries: retries - this.#retries,
      account,
      accounts: new Map([...this.#accounts].map(([id, count]) => [id, account - count])),
      receiver: concurrencyStart,
      receivers: this.stats.rooms()
    }
  }

  /**
   * Ends a claim that had this room. Answers those of the claimed that have a
   * place: all, unless some were handed over meanwhile that left none.
   */
  endClaim<InFlight extends { readonly permit: Permit }>(
    room: ClaimRoom,
    claimed: ReadonlyArray<InFlight>
  ): ReadonlyArray<InFlight> {
    const { answered = [], handedOver = 0 } = this.#duringClaim ?? {}
    this.#duringClaim = undefined
    const placed = claimed.filter(({ permit }) => {
      const hasPlace = handedOver === 0 || this.#hasPlaceFor(permit.receiver)
      if (hasPlace) this.#enter(permit)
      return hasPlace
    })
    this.#saturation = new Saturation(
      room,
      claimed.map(({ permit }) => permit)
    )
    const isMoreRoom = answered.some((permit) => this.#saturation.isRelievedBy(permit))
    if (isMoreRoom || placed.length < claimed.length) this.#moreRoom.openUnsafe()
    return placed
  }

  /** Whether a new delivery to the receiver may be handed over without passing an older one. */
  admits(receiver: Receiver): boolean {
    return (
      this.#handedOver < this.#quotas.handedOver &&
      this.#hasPlaceFor(receiver) &&
      !this.#saturation.covers(receiver)
    )
  }

  /**
   * Waits until there may be something to claim that the last claim could not
   * take, because there was no room for it or because it was not due.
   */
  get moreToClaim(): Effect.Effect<void> {
    return this.#moreRoom.await
  }

  /** Waits until there is room for anything. */
  get someRoom(): Effect.Effect<void> {
    const wait = Effect.suspend(() => {
      this.#moreRoom.closeUnsafe()
      return this.moreToClaim
    })
    return Effect.whileLoop({ while: () => this.#room <= 0, body: () => wait, step: () => undefined })
  }

  /** Takes a place for a delivery that is handed over, or will be. */
  reserve(permit: Permit): void {
    this.#enter(permit)
    if (this.#duringClaim !== undefined) this.#duringClaim.handedOver += 1
  }

  /** The receiver has answered: the place is free, and the result waits to be stored. */
  answered(permit: Permit): void {
    if (!this.#sending.has(permit)) return
    const wasFull = this.#room <= 0
    this.#sending.delete(permit)
    this.#count(permit, -1)
    this.#duringClaim?.answered.push(permit)
    if (wasFull || this.#saturation.isRelievedBy(permit)) this.#moreRoom.openUnsafe()
  }

  /** The delivery has left this process: its result is stored, or lost. */
  release(permit: Permit): void {
    this.answered(permit)
    const wasFull = this.#room <= 0
    this.#held -= 1
    if (wasFull || this.#saturation.isTotal) this.#moreRoom.openUnsafe()
  }

  /** Something has become due, or will, that the last claim did not know of. */
  lookAgain(): void {
    this.#moreRoom.openUnsafe()
  }

  #enter(permit: Permit): void {
    this.#held += 1
    this.#sending.add(permit)
    this.#count(permit, 1)
  }

  #count({ isHandedOver, isRetry, receiver }: Permit, by: 1 | -1): void {
    const ofAccount = this.#ofAccount(receiver) + by
    if (ofAccount === 0) this.#accounts.delete(receiver.accountId)
    else this.#accounts.set(receiver.accountId, ofAccount)
    if (isRetry) this.#retries += by
    if (isHandedOver) this.#handedOver += by
    this.stats.count(receiver, by)
  }

  get #room(): number {
    return Math.min(this.#quotas.places - this.#sending.size, this.#heldMax - this.#held)
  }

  #hasPlaceFor(receiver: Receiver): boolean {
    const { concurrency, inFlight } = this.stats.of(receiver)
    return this.#room > 0 && this.#ofAccount(receiver) < this.#quotas.account && inFlight < concurrency.limit
  }

  #ofAccount({ accountId }: Receiver): number {
    return this.#accounts.get(accountId) ?? 0
  }
}
