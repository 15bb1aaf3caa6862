/** A queue in which owners take turns, so that none has to wait for all the work of another. */

/** How much one owner may have waiting. */
export interface QueueLimits {
  readonly items: number
  /** The sum of their sizes; a single item may be larger. */
  readonly size: number
}

interface Waiting<A> {
  readonly item: A
  readonly size: number
}

export class FairQueue<A> {
  readonly #limits: QueueLimits
  /** In the order of their turns. */
  readonly #lines = new Map<string, Array<Waiting<A>>>()

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Puts an item at the end of its owner's line, unless that is full. */
  offer(owner: string, item: A, size: number): boolean {
    const line = this.#lines.get(owner) ?? []
    const waiting = line.reduce((sum, each) => sum + each.size, 0)
    if (line.length >= this.#limits.items || (line.length > 0 && waiting + size > this.#limits.size))
      return false
    line.push({ item, size })
    this.#lines.set(owner, line)
    return true
  }

  /** The next item of the owner whose turn it is, among those that may. */
  take(may: (owner: string) => boolean): A | undefined {
    for (const [owner, line] of this.#lines) {
      if (!may(owner)) continue
      const next = line.shift()
      this.#lines.delete(owner)
      if (line.length > 0) this.#lines.set(owner, line)
      return next?.item
    }
    return undefined
  }

  /** Removes an item that is no longer wanted. */
  remove(owner: string, item: A): void {
    const rest = (this.#lines.get(owner) ?? []).filter((waiting) => waiting.item !== item)
    if (rest.length === 0) this.#lines.delete(owner)
    else if (this.#lines.has(owner)) this.#lines.set(owner, rest)
  }
}
