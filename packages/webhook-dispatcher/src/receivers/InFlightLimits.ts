/** What this process has in flight, by receiver and by account: from it follows what else may be claimed or handed over. */
import type { AccountId } from "@runhook/core/domain/Ids"
import type { Receiver } from "@runhook/core/domain/delivery/Receiver"
import { type ClaimRoom, roomFor } from "@runhook/core/ports/DeliveryStore"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { Backlog } from "./Backlog.ts"
import { concurrencyStart } from "./AdaptiveConcurrency.ts"
import type { Passage } from "./Passage.ts"
import { ReceiverStats } from "./ReceiverStats.ts"
import { quotasOf, type Quotas } from "./Quotas.ts"

export interface InFlightOptions {
  /** Deliveries that are sent at once. */
  readonly places: number
  /** Deliveries at once that are sent, or whose results wait to be stored. */
  readonly heldMax: number
}

interface Meanwhile {
  readonly answered: Array<Passage>
  handedOver: number
}

export class InFlightLimits {
  readonly memory = new ReceiverStats()

  readonly #heldMax: number
  readonly #quotas: Quotas
  readonly #accounts = new Map<AccountId, number>()
  readonly #moreRoom = Latch.makeUnsafe()
  /** Those that have a place. Those that have none any more wait for their results to be stored. */
  readonly #sending = new Set<Passage>()
  #backlog = new Backlog(roomFor(1), [])
  /** Those that were answered, and those that were handed over, while a claim is on its way. */
  #meanwhile: Meanwhile | undefined
  #held = 0
  #retries = 0
  #handedOver = 0

  constructor({ heldMax, places }: InFlightOptions) {
    this.#heldMax = heldMax
    this.#quotas = quotasOf(places)
  }

  /** What may be claimed now. */
  takeRoom(): ClaimRoom {
    this.#moreRoom.closeUnsafe()
    this.#meanwhile = { answered: [], handedOver: 0 }
    const { account, retries } = this.#quotas
    return {
      total: this.#room,
      retries: retries - this.#retries,
      account,
      accounts: new Map([...this.#accounts].map(([id, count]) => [id, account - count])),
      receiver: concurrencyStart,
      receivers: this.memory.rooms()
    }
  }

  /**
   * A claim has taken that of the room. Answers those that have a place: all,
   * unless some were handed over meanwhile that left none.
   */
  claimed<Flight extends { readonly passage: Passage }>(
    room: ClaimRoom,
    flights: ReadonlyArray<Flight>
  ): ReadonlyArray<Flight> {
    const { answered = [], handedOver = 0 } = this.#meanwhile ?? {}
    this.#meanwhile = undefined
    const placed = flights.filter(({ passage }) => {
      const hasPlace = handedOver === 0 || this.#hasPlaceFor(passage.receiver)
      if (hasPlace) this.#enter(passage)
      return hasPlace
    })
    this.#backlog = new Backlog(
      room,
      flights.map(({ passage }) => passage)
    )
    const isMoreRoom = answered.some((passage) => this.#backlog.waitsFor(passage))
    if (isMoreRoom || placed.length < flights.length) this.#moreRoom.openUnsafe()
    return placed
  }

  /** Whether a new delivery to the receiver may be handed over, past no older one. */
  hasRoomFor(receiver: Receiver): boolean {
    return (
      this.#handedOver < this.#quotas.handedOver &&
      this.#hasPlaceFor(receiver) &&
      !this.#backlog.isOf(receiver)
    )
  }

  /**
   * Waits until there may be something to claim that there was not when room
   * was last taken: for want of room, or because it was not due.
   */
  get hasMoreRoom(): Effect.Effect<void> {
    return this.#moreRoom.await
  }

  /** Waits until a delivery may be claimed. */
  get hasRoom(): Effect.Effect<void> {
    const wait = Effect.suspend(() => {
      this.#moreRoom.closeUnsafe()
      return this.hasMoreRoom
    })
    return Effect.whileLoop({ while: () => this.#room <= 0, body: () => wait, step: () => undefined })
  }

  /** A delivery is handed over, or will be: it takes its place. */
  handedOver(passage: Passage): void {
    this.#enter(passage)
    if (this.#meanwhile !== undefined) this.#meanwhile.handedOver += 1
  }

  /** Its receiver is done with it: its place is free, and what it came to waits to be stored. */
  answered(passage: Passage): void {
    if (!this.#sending.has(passage)) return
    const wasFull = this.#room <= 0
    this.#sending.delete(passage)
    this.#count(passage, -1)
    this.#meanwhile?.answered.push(passage)
    if (wasFull || this.#backlog.waitsFor(passage)) this.#moreRoom.openUnsafe()
  }

  /** It is no more of this process' concern: its result is stored, or lost. */
  left(passage: Passage): void {
    this.answered(passage)
    const wasFull = this.#room <= 0
    this.#held -= 1
    if (wasFull || this.#backlog.waitsForAny) this.#moreRoom.openUnsafe()
  }

  /** Something has become due, or will, that a claim has not told of. */
  isMoreDue(): void {
    this.#moreRoom.openUnsafe()
  }

  #enter(passage: Passage): void {
    this.#held += 1
    this.#sending.add(passage)
    this.#count(passage, 1)
  }

  #count({ isHandedOver, isRetry, receiver }: Passage, by: 1 | -1): void {
    const ofAccount = this.#ofAccount(receiver) + by
    if (ofAccount === 0) this.#accounts.delete(receiver.accountId)
    else this.#accounts.set(receiver.accountId, ofAccount)
    if (isRetry) this.#retries += by
    if (isHandedOver) this.#handedOver += by
    this.memory.count(receiver, by)
  }

  get #room(): number {
    return Math.min(this.#quotas.places - this.#sending.size, this.#heldMax - this.#held)
  }

  #hasPlaceFor(receiver: Receiver): boolean {
    const { concurrency, inFlight } = this.memory.of(receiver)
    return this.#room > 0 && this.#ofAccount(receiver) < this.#quotas.account && inFlight < concurrency.limit
  }

  #ofAccount({ accountId }: Receiver): number {
    return this.#accounts.get(accountId) ?? 0
  }
}
