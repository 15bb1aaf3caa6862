/** Remembers what was seen, for a while; beyond a bound, only the latest. */
export class RecentlySeen<A> {
  // In the order of when each was last seen.
  readonly #seenAt = new Map<A, number>()
  readonly #countMax: number
  readonly #millis: number

  constructor({ countMax, millis }: { readonly countMax: number; readonly millis: number }) {
    this.#countMax = countMax
    this.#millis = millis
  }

  has(each: A, nowMillis: number): boolean {
    const seenAt = this.#seenAt.get(each)
    return seenAt !== undefined && seenAt + this.#millis > nowMillis
  }

  note(each: A, nowMillis: number): void {
    this.#seenAt.delete(each)
    this.#seenAt.set(each, nowMillis)
    for (const first of this.#seenAt.keys()) {
      if (this.#seenAt.size <= this.#countMax) return
      this.#seenAt.delete(first)
    }
  }
}
