/**
 * Turns for those who cause much work in a process: each has an amount per second, of bytes or of milliseconds, and
 * waits when it is used up.
 */
import * as Iterable from "effect/Iterable"

export interface TurnLimits {
  readonly perSecond: number
  /** The amount at once, for an owner that used none lately. */
  readonly burst: number
}

/** Owners checked for removal on each turn; more than one, so that they go faster than they come. */
const sweptPerTurn = 2

export class Turns<Owner> {
  readonly #limits: TurnLimits
  /** When an owner's amount is available again, in epoch milliseconds; kept only while that is in the future. */
  readonly #paidAt = new Map<Owner, number>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** Milliseconds until the owner's next turn. */
  waitOf(owner: Owner, now: number): number {
    return Math.max(0, this.#debt(owner, now) - this.#millisOf(this.#limits.burst))
  }

  /** Takes so much for the owner, at its next turn. */
  take(owner: Owner, amount: number, now: number): void {
    for (const [each, at] of Iterable.take(this.#paidAt, sweptPerTurn)) {
      if (at <= now) this.#paidAt.delete(each)
    }
    const paidAt = now + this.#debt(owner, now) + this.#millisOf(amount)
    this.#paidAt.delete(owner)
    this.#paidAt.set(owner, paidAt)
  }

  #debt(owner: Owner, now: number): number {
    return Math.max(0, (this.#paidAt.get(owner) ?? now) - now)
  }

  #millisOf(amount: number): number {
    return (amount / this.#limits.perSecond) * 1_000
  }
}
