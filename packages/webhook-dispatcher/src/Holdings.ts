/** The deliveries that this process knows to have claimed, and those that it may have sent. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import type { EventId } from "@runhook/core/domain/Ids"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"

interface Holding {
  readonly delivery: Delivery
  readonly until: DateTime.Utc
}

export class Holdings {
  readonly #lease: Duration.Duration
  /** The one whose lease ends first comes first. */
  readonly #held = new Map<EventId, Holding>()
  readonly #expected = new Set<EventId>()
  readonly #sent = new Set<EventId>()

  constructor(lease: Duration.Duration) {
    this.#lease = lease
  }

  /** It may become this process' own at any moment, without a claim. */
  expected(id: EventId): void {
    this.#expected.add(id)
  }

  /** Whether or not it has, that is known from elsewhere now. */
  expectedNoMore(id: EventId): void {
    this.#expected.delete(id)
  }

  /** How many are expected. */
  get expectedCount(): number {
    return this.#expected.size
  }

  /** It is this process' own for a lease from then. */
  began(delivery: Delivery, at: DateTime.Utc): void {
    this.#forgetPast(at)
    this.#held.delete(delivery.id)
    this.#held.set(delivery.id, { delivery, until: DateTime.addDuration(at, this.#lease) })
  }

  sent({ id }: Delivery): void {
    this.#sent.add(id)
  }

  /** Its result is stored. One that was lost is held until the end of its lease: it was sent, and must not look as if not. */
  settled(delivery: Delivery): void {
    if (this.#held.get(delivery.id)?.delivery === delivery) this.#forget(delivery.id)
  }

  /** What is known to be held at that time, or may be. */
  known(at: DateTime.Utc): ReadonlyArray<EventId> {
    this.#forgetPast(at)
    return [...this.#held.keys(), ...this.#expected]
  }

  /** What of it may have been sent. */
  get inDoubt(): ReadonlyArray<EventId> {
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
