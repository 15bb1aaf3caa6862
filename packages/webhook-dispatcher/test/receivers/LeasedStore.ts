/**
 * A store and its network as a dispatcher sees them, of which a test decides
 * what happens next: answers come in any order, late or never.
 */
import type { Receiver } from "@runhook/core/deliveries/claim/Receiver"
import { receiverKey } from "@runhook/core/deliveries/claim/Receiver"
import type { EventId } from "@runhook/core/shared/Ids"
import type { ClaimRoom } from "@runhook/core/deliveries/claim/ClaimRoom"

export interface Event {
  readonly id: EventId
  readonly execution: number
  readonly revision: number
  readonly receiver: Receiver
  attempts: number
  state: "due" | "leased" | "taken" | "settled"
}

/** What the store says of an event that it leases: which one it is behind. */
export interface Leased {
  readonly event: Event
  readonly behind: EventId | null
}

/** Judges what the port `DeliveryStore` says of leases, room and order. */
export class LeasedStore {
  readonly events: Array<Event> = []

  /** The earlier events of its execution that are not settled. */
  pendingBefore({ execution, revision }: Event): ReadonlyArray<Event> {
    return this.events.filter(
      (each) => each.execution === execution && each.revision < revision && each.state !== "settled"
    )
  }

  /** Leases it, unless an earlier event is neither leased to this dispatcher nor settled. */
  lease(event: Event): Leased | undefined {
    const earlier = this.pendingBefore(event)
    if (event.state !== "due" || earlier.some(({ state }) => state !== "leased")) return undefined
    event.state = "leased"
    event.attempts += 1
    return { event, behind: earlier.at(-1)?.id ?? null }
  }

  /** Leases what is due and has room, in the order of the revisions. */
  claim(room: ClaimRoom): ReadonlyArray<Leased> {
    const leased: Array<Leased> = []
    const accounts = new Map(room.accounts)
    const receivers = new Map(room.receivers.map((each) => [receiverKey(each), each.room]))
    let { retries } = room
    for (const event of this.events) {
      const { accountId } = event.receiver
      const key = receiverKey(event.receiver)
      const ofAccount = accounts.get(accountId) ?? room.account
      const ofReceiver = receivers.get(key) ?? room.receiver
      const isRetry = event.attempts > 0
      if (Math.min(room.total - leased.length, ofAccount, ofReceiver, isRetry ? retries : 1) < 1) continue
      const one = this.lease(event)
      if (one === undefined) continue
      leased.push(one)
      accounts.set(accountId, ofAccount - 1)
      receivers.set(key, ofReceiver - 1)
      if (isRetry) retries -= 1
    }
    return leased
  }

  giveBack(isMeant: (id: EventId) => boolean): void {
    for (const event of this.events) {
      if (event.state !== "leased" || !isMeant(event.id)) continue
      event.state = "due"
      event.attempts -= 1
    }
  }
}
