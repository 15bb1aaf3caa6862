/** The deliveries this process knows to have leased, those of them that it may have sent, and those that it settled for good. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import type { EventId } from "@runhook/core/domain/Ids"
import { BoundedMap } from "@runhook/core/runtime/BoundedMap"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"

/** Deliveries that are remembered once they are settled, for those that were found behind them before. */
const rememberedMax = 10_000

/**
 * Where an event stands that is behind another: that one is settled for good;
 * or is held, and may be; or nobody here knows, and order is never guessed.
 */
export type Standing = "free" | "waits" | "broken"

interface Leased {
  readonly delivery: Delivery
  readonly until: DateTime.Utc
  isSent: boolean
}

export class LeasedDeliveries {
  readonly #lease: Duration.Duration
  /** The one whose lease ends first comes first. */
  readonly #held = new Map<EventId, Leased>()
  readonly #expected = new Set<EventId>()
  readonly #returning = new Set<EventId>()
  readonly #settled = new BoundedMap<EventId, true>(rememberedMax)

  constructor(lease: Duration.Duration) {
    this.#lease = lease
  }

  /** It may be handed over to this process at any moment, without a claim. */
  expect(id: EventId): void {
    this.#expected.add(id)
  }

  /** Whether it was handed over is known by now. */
  expectNoMore(id: EventId): void {
    this.#expected.delete(id)
  }

  /** How many may be handed over at any moment. */
  get expectedCount(): number {
    return this.#expected.size
  }

  /** It belongs to this process for a lease from then on. */
  began(delivery: Delivery, at: DateTime.Utc): void {
    this.#forgetPast(at)
    this.#held.delete(delivery.id)
    this.#held.set(delivery.id, { delivery, until: DateTime.addDuration(at, this.#lease), isSent: false })
  }

  sent({ id }: Delivery): void {
    const leased = this.#held.get(id)
    if (leased !== undefined) leased.isSent = true
  }

  /**
   * It is tried again later, or given back, or settled for good if that is final. One whose
   * result was lost stays until its lease ends: it was sent, and must not look unsent.
   */
  ended(delivery: Delivery, isFinal: boolean): void {
    if (isFinal) this.#settled.set(delivery.id, true)
    if (this.#held.get(delivery.id)?.delivery === delivery) this.#held.delete(delivery.id)
  }

  /** Whether its lease has not ended, so that nobody else has it and what is stored of it counts. */
  isHeld(delivery: Delivery, at: DateTime.Utc): boolean {
    this.#forgetPast(at)
    return this.#held.get(delivery.id)?.delivery === delivery
  }

  /** Where an event stands that was found behind this one. A final settlement stays true for ever. */
  standingBehind(id: EventId | null): Standing {
    if (id === null || this.#settled.get(id) === true) return "free"
    return this.#held.has(id) || this.#expected.has(id) ? "waits" : "broken"
  }

  /** It is being given back. */
  returning(id: EventId): void {
    this.#returning.add(id)
  }

  /** They were given back, or nobody knows. */
  returned(ids: Iterable<EventId>): void {
    for (const id of ids) this.#returning.delete(id)
  }

  /** What this process holds at that time, may be handed over, or is giving back. */
  known(at: DateTime.Utc): ReadonlyArray<EventId> {
    this.#forgetPast(at)
    return [...this.#held.keys(), ...this.#expected, ...this.#returning]
  }

  /** What it holds and may have sent. */
  get maybeSent(): ReadonlyArray<EventId> {
    return [...this.#held].flatMap(([id, { isSent }]) => (isSent ? [id] : []))
  }

  #forgetPast(at: DateTime.Utc): void {
    for (const [id, { until }] of this.#held) {
      if (DateTime.isGreaterThan(until, at)) return
      this.#held.delete(id)
    }
  }
}
