/**
 * A store and its network as a dispatcher sees them, of which a test decides
 * what happens next: answers come in any order, late or never.
 */
import type { EventId } from "@runhook/core/domain/Ids"

export interface Event {
  readonly id: EventId
  readonly execution: number
  readonly revision: number
  state: "due" | "leased" | "taken" | "settled"
}

/** What the store says of an event that it leases: which one it is behind. */
export interface Leased {
  readonly event: Event
  readonly behind: EventId | null
}

/** Judges what the port `DeliveryStore` says of leases and order. */
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
    return { event, behind: earlier.at(-1)?.id ?? null }
  }

  /** Leases what is due, in the order of the revisions. */
  claim(room: number): ReadonlyArray<Leased> {
    const leased: Array<Leased> = []
    for (const event of this.events) {
      const one = leased.length < room ? this.lease(event) : undefined
      if (one !== undefined) leased.push(one)
    }
    return leased
  }

  giveBack(isMeant: (id: EventId) => boolean): void {
    for (const event of this.events) if (event.state === "leased" && isMeant(event.id)) event.state = "due"
  }
}
