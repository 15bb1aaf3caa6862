/**
 * Chooses which waiting deliveries a claimer gets: those that are due, while there is
 * room for their receiver, their account, their kind, and in all. Pure functions; a
 * store finds the candidates.
 */
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Order from "effect/Order"
import type { ClaimRoom } from "./ClaimRoom.ts"
import type { AccountId, EventId } from "../../shared/Ids.ts"
import { dueAt, isProbed, type Receiver, receiverKey, type ReceiverState } from "./Receiver.ts"

/** A delivery that waits or is being sent, with its receiver. */
export interface Candidate extends Receiver, ReceiverState {
  readonly id: EventId
  readonly isRetry: boolean
  /** By its own schedule, even if its receiver is held. */
  readonly dueAt: DateTime.Utc
  /** Whether a person wants it tried now, even if its receiver is held. */
  readonly isTried: boolean
}

export interface Choice<Of> {
  readonly chosen: ReadonlyArray<Of>
  /** When the oldest of the deliveries that there is room for fell due. */
  readonly oldestDueAt: DateTime.Utc | null
  /** When to look again: when the first is due that there is still room for, or a lease just given ends. */
  readonly nextDueAt: DateTime.Utc | null
}

/** What is wanted now goes first, then the oldest. */
const inOrder: Order.Order<Candidate> = Order.combineAll([
  Order.mapInput(Order.Boolean, ({ isTried }) => !isTried),
  Order.mapInput(Order.Number, (each) => each.dueAt.epochMilliseconds),
  Order.mapInput(Order.String, ({ id }) => id)
])

/**
 * Chooses one delivery of a receiver whose breaker is open as its probe, besides those that people want tried now.
 * For each receiver, the candidates need to be only the oldest first attempts and the oldest retries: one of each if
 * the receiver is held or to be probed, otherwise as many as there is room for, or one more than there is room for in
 * all.
 */
export const choose = <Of extends Candidate>(
  candidates: Iterable<Of>,
  options: { readonly at: DateTime.Utc; readonly lease: Duration.Duration; readonly room: ClaimRoom }
): Choice<Of> => {
  const { at, lease } = options
  const left = new RoomLeft(options.room)
  const waiting = Array.sort(candidates, inOrder).filter((each) => left.fits(each))
  const due = waiting.filter((each) => DateTime.isLessThanOrEqualTo(timeOf(each), at))
  const probed = new Set<string>()
  const chosen = due.filter((each) => {
    if (left.total <= 0 || !left.fits(each)) return false
    if (!each.isTried && isProbed(each)) {
      if (probed.has(receiverKey(each))) return false
      probed.add(receiverKey(each))
    }
    left.take(each)
    return true
  })
  const leaseEnd = DateTime.addDuration(at, lease)
  const taken = new Set(chosen)
  const times = waiting.flatMap((each) => {
    if (taken.has(each)) return [leaseEnd]
    if (!left.fits(each)) return []
    return [!each.isTried && probed.has(receiverKey(each)) ? leaseEnd : timeOf(each)]
  })
  return {
    chosen,
    oldestDueAt: earliest(due.map((each) => each.dueAt)),
    nextDueAt: earliest(times)
  }
}

const timeOf = (each: Candidate): DateTime.Utc =>
  (each.isTried ? null : dueAt({ id: each.id, nextAttemptAt: each.dueAt }, each)) ?? each.dueAt

/** The first of them; null when there is none. */
export const earliest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times.reduce(
    (one, other) => (one === null || other === null ? (one ?? other) : DateTime.min(one, other)),
    null
  )

/** The room of a claim, less what was chosen so far. */
class RoomLeft {
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

  /** Whether one fits into the shares, regardless of the total. */
  fits(each: Candidate): boolean {
    return this.#ofReceiver(each) > 0 && this.#ofAccount(each) > 0 && (!each.isRetry || this.#retries > 0)
  }

  take(each: Candidate): void {
    this.#receivers.set(receiverKey(each), this.#ofReceiver(each) - 1)
    this.#accounts.set(each.accountId, this.#ofAccount(each) - 1)
    if (each.isRetry) this.#retries -= 1
    this.#total -= 1
  }

  #ofReceiver(receiver: Receiver): number {
    return this.#receivers.get(receiverKey(receiver)) ?? this.#room.receiver
  }

  #ofAccount({ accountId }: Receiver): number {
    return this.#accounts.get(accountId) ?? this.#room.account
  }
}
