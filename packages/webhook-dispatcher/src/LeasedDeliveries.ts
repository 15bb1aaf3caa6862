/** The deliveries this process knows to have claimed, and those it may have sent. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import type { EventId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"

interface Leased {
  readonly delivery: Delivery
  readonly until: DateTime.Utc
}

export class LeasedDeliveries {
  readonly #lease: Duration.Duration
  /** The one whose lease ends first comes first. */
  readonly #held = new Map<EventId, Leased>()
  readonly #expected = new Set<EventId>()
  readonly #sent = new Set<EventId>()

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
    this.#held.set(delivery.id, { delivery, until: DateTime.addDuration(at, this.#lease) })
  }

  sent({ id }: Delivery): void {
    this.#sent.add(id)
  }

  /** Its result is stored. One whose result was lost stays until its lease ends: it was sent, and must not look unsent. */
  settled(delivery: Delivery): void {
    if (this.#held.get(delivery.id)?.delivery === delivery) this.#forget(delivery.id)
  }

  /** What this process holds at that time, or may be handed over. */
  known(at: DateTime.Utc): ReadonlyArray<EventId> {
    this.#forgetPast(at)
    return [...this.#held.keys(), ...this.#expected]
  }

  /** What it holds and may have sent. */
  get maybeSent(): ReadonlyArray<EventId> {
    return [...this.#sent]
  }

  #forgetPast(at: DateTime.Utc): void {
    for (const [id, { until }] of this.#held) {
      if (DateTime.isGreaterThan(until, at)) return
      this.#forget(id)
    }
  }

  #forget(id: EventId): void {
    this.#held.delete(id)
    this.#sent.delete(id)
  }
}
