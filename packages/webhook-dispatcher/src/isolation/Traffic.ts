/** What this process has in flight, by receiver and by account: from it follows what else may be claimed. */
import type { Delivery } from "@runhook/core/domain/Delivery"
import type { AccountId } from "@runhook/core/domain/Ids"
import { receiverOf } from "@runhook/core/domain/Receiving"
import type { ClaimRoom } from "@runhook/core/ports/DeliveryStore"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { concurrencyStart } from "./Concurrency.ts"
import { ReceiverMemory } from "./ReceiverMemory.ts"
import { sharesOf, type Shares } from "./Shares.ts"
import * as WebhookMetrics from "./WebhookMetrics.ts"

export class Traffic {
  readonly memory = new ReceiverMemory()

  readonly #shares: Shares
  readonly #accounts = new Map<AccountId, number>()
  readonly #moreRoom = Latch.makeUnsafe()
  #inFlight = 0
  #retries = 0

  constructor(places: number) {
    this.#shares = sharesOf(places)
  }

  /** What may be claimed now. */
  takeRoom(): ClaimRoom {
    this.#moreRoom.closeUnsafe()
    const { account, places, retries } = this.#shares
    return {
      total: places - this.#inFlight,
      retries: retries - this.#retries,
      account,
      accounts: new Map([...this.#accounts].map(([id, count]) => [id, account - count])),
      receiver: concurrencyStart,
      receivers: this.memory.rooms()
    }
  }

  /**
   * Waits until there may be something to claim that there was not when room
   * was last taken: for want of room, or because it waited for an earlier event.
   */
  get hasMoreRoom(): Effect.Effect<void> {
    return this.#moreRoom.await
  }

  /** Waits until a delivery may be claimed. */
  get hasRoom(): Effect.Effect<void> {
    return Effect.suspend(() => (this.#inFlight < this.#shares.places ? Effect.void : this.hasMoreRoom))
  }

  /** Counts a delivery as in flight from now until the work on it ends: that its result is stored is a part of it. */
  during<A, E, R>(delivery: Delivery, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      this.#change(delivery, 1),
      () => work,
      () => this.#change(delivery, -1)
    )
  }

  /** Counts it as in flight at its receiver as well, which is done with it before its result is stored. */
  sending<A, E, R>(delivery: Delivery, attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const receiver = receiverOf(delivery)
    return Effect.acquireUseRelease(
      Effect.sync(() => this.memory.count(receiver, 1)),
      () => attempt,
      () =>
        Effect.sync(() => {
          const wasFull = this.#isFullFor(delivery)
          this.memory.count(receiver, -1)
          if (wasFull) this.#moreRoom.openUnsafe()
        })
    )
  }

  #change(delivery: Delivery, by: 1 | -1): Effect.Effect<void> {
    return Effect.suspend(() => {
      const wasFull = this.#isFullFor(delivery)
      this.#inFlight += by
      if (isRetry(delivery)) this.#retries += by
      const ofAccount = this.#ofAccount(delivery) + by
      if (ofAccount === 0) this.#accounts.delete(delivery.accountId)
      else this.#accounts.set(delivery.accountId, ofAccount)
      if (by < 0 && (wasFull || delivery.executionId !== null)) this.#moreRoom.openUnsafe()
      return WebhookMetrics.inFlightChanged(by)
    })
  }

  /** Whether no more of the kind of this delivery may be claimed: once it ends, others may. */
  #isFullFor(delivery: Delivery): boolean {
    const { concurrency, inFlight } = this.memory.of(receiverOf(delivery))
    return (
      this.#inFlight >= this.#shares.places ||
      (isRetry(delivery) && this.#retries >= this.#shares.retries) ||
      this.#ofAccount(delivery) >= this.#shares.account ||
      inFlight >= concurrency.limit
    )
  }

  #ofAccount({ accountId }: Delivery): number {
    return this.#accounts.get(accountId) ?? 0
  }
}

const isRetry = ({ attempts }: Delivery): boolean => attempts > 1
