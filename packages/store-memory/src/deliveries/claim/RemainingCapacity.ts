/** The room of a claimer, less what it has been given so far. */
import { type Delivery, willBeRetry } from "@runhook/core/domain/delivery/Delivery"
import { receiverKey } from "@runhook/core/domain/delivery/Receiver"
import type { AccountId } from "@runhook/core/domain/Ids"
import type { ClaimRoom } from "@runhook/core/ports/DeliveryStore"

export class RemainingCapacity {
  readonly #room: ClaimRoom
  readonly #accounts: Map<AccountId, number>
  readonly #receivers: Map<string, number>
  #retries: number
  #total: number

  constructor(room: ClaimRoom) {
    this.#room = room
    this.#accounts = new Map(room.accounts)
    this.#receivers = new Map(room.receivers.map((each) => [receiverKey(each), each.room]))
    this.#retries = room.retries
    this.#total = room.total
  }

  get total(): number {
    return this.#total
  }

  /** What is left for a receiver. */
  of(receiver: string): number {
    return this.#receivers.get(receiver) ?? this.#room.receiver
  }

  /** Whether anything is left for a receiver of an account. */
  hasShare(receiver: string, accountId: AccountId): boolean {
    return this.of(receiver) > 0 && this.#account(accountId) > 0
  }

  /** Whether a delivery fits into the shares, whatever is left in all. */
  fits(receiver: string, delivery: Delivery): boolean {
    return this.hasShare(receiver, delivery.accountId) && (!willBeRetry(delivery) || this.#retries > 0)
  }

  take(receiver: string, delivery: Delivery): void {
    this.#accounts.set(delivery.accountId, this.#account(delivery.accountId) - 1)
    this.#receivers.set(receiver, this.of(receiver) - 1)
    if (willBeRetry(delivery)) this.#retries -= 1
    this.#total -= 1
  }

  /** Uses up a place without anything that is sent. */
  spend(): void {
    this.#total -= 1
  }

  #account(id: AccountId): number {
    return this.#accounts.get(id) ?? this.#room.account
  }
}
