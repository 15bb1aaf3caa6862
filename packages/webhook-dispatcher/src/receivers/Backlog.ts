/**
 * Who may have more due than the last claim had room for. Once something of
 * theirs ends there may be more to claim; and what is new must wait in line
 * with what is older, and not pass it by.
 */
import type { AccountId } from "@runhook/core/domain/Ids"
import { type Receiver, receiverKey } from "@runhook/core/domain/delivery/Receiver"
import type { ClaimRoom } from "@runhook/core/ports/DeliveryStore"
import type { Passage } from "./Passage.ts"

export class Backlog {
  readonly #isOfAll: boolean
  readonly #isOfRetries: boolean
  readonly #accounts: ReadonlySet<AccountId>
  readonly #receivers: ReadonlySet<string>

  /** After a claim that had this room and took that of it. */
  constructor(room: ClaimRoom, taken: ReadonlyArray<Passage>) {
    const rooms = new Map(room.receivers.map((receiver) => [receiverKey(receiver), receiver.room]))
    this.#isOfAll = taken.length >= room.total
    this.#isOfRetries = taken.filter(({ isRetry }) => isRetry).length >= room.retries
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
  isOf(receiver: Receiver): boolean {
    return (
      this.#isOfAll || this.#accounts.has(receiver.accountId) || this.#receivers.has(receiverKey(receiver))
    )
  }

  /** Whether more may be claimed once this one makes room. */
  waitsFor({ isRetry, receiver }: Passage): boolean {
    return this.isOf(receiver) || (isRetry && this.#isOfRetries)
  }

  /** Whether more may be claimed once there is room for anything. */
  get waitsForAny(): boolean {
    return this.#isOfAll
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
