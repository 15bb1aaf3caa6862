/** The deliveries this process knows to have leased, or may have at any moment, and those that it settled for good. */
import type { EventId } from "@runhook/core/shared/Ids"
import { BoundedMap } from "@runhook/core/engine/BoundedMap"
import type { InFlight } from "./receivers/Receiver.ts"

/** Deliveries that are remembered once they are settled, for those that were found behind them before. */
const rememberedMax = 10_000

/**
 * The state of an event that is behind another: the other is settled for good; or is leased and may be; or is unknown
 * here, and order is never guessed.
 */
export type StateOfEarlier = "free" | "waits" | "broken"

export class LeasedDeliveries {
  readonly #leaseMs: number
  readonly #held = new Map<EventId, InFlight>()
  readonly #expected = new Set<EventId>()
  readonly #settled = new BoundedMap<EventId, true>(rememberedMax)

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs
  }

  /** It may be handed over to this process at any moment, without a claim. */
  expect(id: EventId): void {
    this.#expected.add(id)
  }

  /** Whether it was handed over is known by now. Answers whether nothing else is expected. */
  expectNoMore(id: EventId): boolean {
    this.#expected.delete(id)
    return this.#expected.size === 0
  }

  /** It belongs to this process for a lease, or is being given back. */
  hold(inFlight: InFlight): void {
    this.#held.set(inFlight.delivery.id, inFlight)
  }

  /**
   * The attempt ended: the delivery is tried again later, was given back, or is settled for good if that is final and
   * was stored within its lease: then no one else held it, and what is stored counts. A delivery whose result was
   * lost is held until its lease ends: it was sent, and must not look unsent.
   */
  ended(inFlight: InFlight, { at, isFinal }: { readonly at: number; readonly isFinal: boolean }): void {
    const { id } = inFlight.delivery
    if (this.#held.get(id) !== inFlight) return
    if (isFinal && this.#isLeased(inFlight, at)) this.#settled.set(id, true)
    this.#held.delete(id)
  }

  /** The state of an event that was claimed behind this one. A final settlement stays true for ever. */
  standingBehind(id: EventId | null): StateOfEarlier {
    if (id === null || this.#settled.get(id) === true) return "free"
    const held = this.#held.get(id)
    return this.#expected.has(id) || (held !== undefined && held.stage !== "returning") ? "waits" : "broken"
  }

  /** What this process holds at that time, may be handed, or is giving back. */
  known(at: number): ReadonlyArray<EventId> {
    this.forgetPast(at)
    return [...this.#held.keys(), ...this.#expected]
  }

  /** What it holds and may have sent. */
  get maybeSent(): ReadonlyArray<EventId> {
    return [...this.#held].flatMap(([id, { stage }]) => (stage === "sent" ? [id] : []))
  }

  /** Forgets those whose leases have ended. */
  forgetPast(at: number): void {
    for (const [id, each] of this.#held)
      if (each.stage !== "returning" && !this.#isLeased(each, at)) this.#held.delete(id)
  }

  #isLeased({ leasedAt }: InFlight, at: number): boolean {
    return leasedAt + this.#leaseMs > at
  }
}
