/**
 * Which limits the last claim used up. Behind those more may be due: it can be
 * claimed once something of theirs ends, and new events must wait in line
 * with the older ones there, and not pass them by.
 */
import { type Receiver, receiverKey } from "@runhook/core/domain/delivery/Receiver"
import type { AccountId } from "@runhook/core/domain/Ids"
import type { ClaimRoom } from "@runhook/core/ports/DeliveryStore"
import type { Permit } from "./Permit.ts"

export class Saturation {
  /** Whether more may be claimed once there is room for anything. */
  readonly isTotal: boolean
  /** Whether more may be claimed once there is room for retries. */
  readonly isOfRetries: boolean
  readonly #accounts: ReadonlySet<AccountId>
  readonly #receivers: ReadonlySet<string>

  /** After a claim that had this room and took these permits. */
  constructor(room: ClaimRoom, taken: ReadonlyArray<Permit>) {
    const rooms = new Map(room.receivers.map((receiver) => [receiverKey(receiver), receiver.room]))
    this.isTotal = taken.length >= room.total
    this.isOfRetries = taken.filter(({ isRetry }) => isRetry).length >= room.retries
    this.#accounts = usedUp(
      room.accounts,
      room.account,
      taken.map(({ receiver }) => receiver.accountId)
    )
    this.#receivers = usedUp(
      rooms,
      room.receiver,
      taken.map(({ receiver }) => receiverKey(receiver))
    )
  }

  /** Whether more may be due to this receiver. */
  covers(receiver: Receiver): boolean {
    return this.isTotal || this.coversAccount(receiver.accountId) || this.coversReceiver(receiver)
  }

  /** Whether more may be due to it once there is room for it. */
  coversReceiver(receiver: Receiver): boolean {
    return this.#receivers.has(receiverKey(receiver))
  }

  coversAccount(id: AccountId): boolean {
    return this.#accounts.has(id)
  }
}

/** Those that took all the room they had, or had none. */
const usedUp = <Key>(
  rooms: ReadonlyMap<Key, number>,
  usual: number,
  taken: ReadonlyArray<Key>
): ReadonlySet<Key> => {
  const left = new Map(rooms)
  for (const key of taken) left.set(key, (left.get(key) ?? usual) - 1)
  return new Set([...left].flatMap(([key, room]) => (room > 0 ? [] : [key])))
}
