/** What this process has leased, by receiver and by account. From it follows what else may be claimed or handed over. */
import type { Receiver } from "@runhook/core/domain/delivery/Receiver"
import type { AccountId } from "@runhook/core/domain/Ids"
import { type ClaimRoom, roomFor } from "@runhook/core/ports/DeliveryStore"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { concurrencyStart } from "./AdaptiveConcurrency.ts"
import { Counts } from "./Counts.ts"
import { lowWaterOf, windowOf } from "./LeaseWindow.ts"
import type { Permit } from "./Permit.ts"
import { quotasOf, type Quotas } from "./Quotas.ts"
import { type ReceiverRecord, ReceiverStats } from "./ReceiverStats.ts"
import { Saturation } from "./Saturation.ts"

export interface InFlightOptions {
  /** Deliveries sent at once. */
  readonly places: number
  /** Deliveries at once that wait or are sent, or whose results wait to be stored. */
  readonly heldMax: number
}

export class InFlightLimits {
  readonly stats = new ReceiverStats()

  readonly #claimMax: number
  readonly #quotas: Quotas
  readonly #accounts = new Counts<AccountId>()
  readonly #moreRoom = Latch.makeUnsafe()
  /** Those that wait or are sent. The others wait for their results to be stored. */
  readonly #unanswered = new Set<Permit>()
  #saturation = new Saturation(roomFor(1), [])
  /** Since the latest claim began. */
  #answered: Array<Permit> | null = null
  #isReserved = false
  #held = 0
  #retries = 0
  #handedOver = 0

  constructor({ heldMax, places }: InFlightOptions) {
    this.#claimMax = places
    this.#quotas = { ...quotasOf(heldMax), retries: quotasOf(places).retries }
  }

  /** Begins a claim: what may be claimed now. */
  beginClaim(): ClaimRoom {
    this.#moreRoom.closeUnsafe()
    this.#answered = []
    this.#isReserved = false
    const { account, retries } = this.#quotas
    return {
      total: Math.max(0, Math.min(this.#room, this.#claimMax)),
      retries: retries - this.#retries,
      account,
      accounts: new Map([...this.#accounts].map(([id, count]) => [id, Math.max(0, account - count)])),
      receiver: concurrencyStart,
      receivers: this.stats.rooms(
        (record) => !this.#saturation.coversReceiver(record.receiver) || isLow(record),
        this.#claimMax
      )
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
    const answered = this.#answered ?? []
    this.#answered = null
    const placed = claimed.filter(({ permit }) => {
      const hasPlace = !this.#isReserved || this.#hasPlaceFor(permit.receiver)
      if (hasPlace) this.#enter(permit)
      return hasPlace
    })
    this.#saturation = new Saturation(
      room,
      claimed.map(({ permit }) => permit)
    )
    const isMoreRoom = answered.some((permit) => this.#isRelievedBy(permit)) || this.#isTotalRelieved
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

  /** Whether so many are held that results should be stored soon. */
  get isShort(): boolean {
    return !isEnough(this.#room, this.#quotas.places)
  }

  /**
   * Waits until there may be something to claim that the last claim could not
   * take, because there was no room for it or because it was not due.
   */
  get moreToClaim(): Effect.Effect<void> {
    return this.#moreRoom.await
  }

  /** Waits until there is room for several. */
  get someRoom(): Effect.Effect<void> {
    const wait = Effect.suspend(() => {
      this.#moreRoom.closeUnsafe()
      return this.moreToClaim
    })
    return Effect.whileLoop({ while: () => this.isShort, body: () => wait, step: () => undefined })
  }

  /** Takes room for a delivery that is handed over, or will be. */
  reserve(permit: Permit): void {
    this.#enter(permit)
    this.#isReserved = true
  }

  /** The body of what was handed over is known: answers the permit that its length needs. */
  measured(permit: Permit, units: number): Permit {
    if (units === permit.units) return permit
    const measured = { ...permit, units }
    this.reserve(measured)
    this.release(permit)
    return measured
  }

  /** The receiver has answered: the result waits to be stored. */
  answered(permit: Permit): void {
    if (!this.#unanswered.delete(permit)) return
    this.#count(permit, -1)
    this.#answered?.push(permit)
    if (this.#isRelievedBy(permit)) this.#moreRoom.openUnsafe()
  }

  /** The delivery has left this process: its result is stored, or lost, or it was given back. */
  release(permit: Permit): void {
    this.answered(permit)
    const wasShort = this.isShort
    this.#held -= permit.units
    if (this.#isTotalRelieved || (wasShort && !this.isShort)) this.#moreRoom.openUnsafe()
  }

  /** Something has become due, or will, that the last claim did not know of. */
  lookAgain(): void {
    this.#moreRoom.openUnsafe()
  }

  #enter(permit: Permit): void {
    this.#held += permit.units
    this.#unanswered.add(permit)
    this.#count(permit, 1)
  }

  #count({ isHandedOver, isRetry, receiver, units }: Permit, by: 1 | -1): void {
    this.#accounts.add(receiver.accountId, by * units)
    if (isRetry) this.#retries += by
    if (isHandedOver) this.#handedOver += by
    this.stats.count(receiver, by)
  }

  get #room(): number {
    return this.#quotas.places - this.#held
  }

  /** Whether more may be claimed, now that this one has made room, and enough for a claim to bring several. */
  #isRelievedBy({ isRetry, receiver }: Permit): boolean {
    const { account, retries } = this.#quotas
    const { accountId } = receiver
    return (
      (this.#saturation.coversReceiver(receiver) && isLow(this.stats.of(receiver))) ||
      (this.#saturation.coversAccount(accountId) &&
        isEnough(account - this.#accounts.of(accountId), account)) ||
      (isRetry && this.#saturation.isOfRetries && isEnough(retries - this.#retries, retries))
    )
  }

  get #isTotalRelieved(): boolean {
    return this.#saturation.isTotal && !this.isShort
  }

  #hasPlaceFor(receiver: Receiver): boolean {
    const record = this.stats.of(receiver)
    return (
      this.#room > 0 &&
      this.#accounts.of(receiver.accountId) < this.#quotas.account &&
      record.leased < windowOf(record)
    )
  }
}

const isLow = (record: ReceiverRecord): boolean => record.leased <= lowWaterOf(record)

/** An eighth of what there is: less is not worth a claim. */
const isEnough = (room: number, of: number): boolean => room >= Math.max(1, Math.floor(of / 8))
