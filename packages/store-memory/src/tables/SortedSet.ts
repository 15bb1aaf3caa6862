/** Items in an order, like an index of a database: found by bisection, and walked in order from any position. */
import type * as Order from "effect/Order"

/** A chunk that grows longer is split: adding and removing move fewer items than that. */
const chunkLengthMax = 512

export class SortedSet<Item> {
  readonly #order: Order.Order<Item>
  readonly #chunks: Array<Array<Item>> = []
  #size = 0

  constructor(order: Order.Order<Item>) {
    this.#order = order
  }

  get size(): number {
    return this.#size
  }

  /** Adds an item whose equal is not in the set. */
  add(item: Item): void {
    const isBefore = this.#before(item)
    const place = Math.max(0, Math.min(this.#chunkPlace(isBefore), this.#chunks.length - 1))
    const chunk = this.#chunks[place]
    if (chunk === undefined) this.#chunks.push([item])
    else {
      chunk.splice(lengthWhile(chunk, isBefore), 0, item)
      if (chunk.length > chunkLengthMax) this.#chunks.splice(place + 1, 0, chunk.splice(chunkLengthMax / 2))
    }
    this.#size++
  }

  /** Removes the item that is equal in the order, if it is there. */
  delete(item: Item): void {
    const isBefore = this.#before(item)
    const chunkPlace = this.#chunkPlace(isBefore)
    const chunk = this.#chunks[chunkPlace]
    if (chunk === undefined) return
    const place = lengthWhile(chunk, isBefore)
    const found = chunk[place]
    if (found === undefined || this.#order(found, item) !== 0) return
    chunk.splice(place, 1)
    if (chunk.length === 0) this.#chunks.splice(chunkPlace, 1)
    this.#size--
  }

  /** The items behind those that are `before`, which must be the first ones of the set. The set must not change meanwhile. */
  *from(isBefore: (item: Item) => boolean): Generator<Item, void> {
    const start = this.#chunkPlace(isBefore)
    const [first, ...rest] = this.#chunks.slice(start)
    if (first === undefined) return
    yield* first.slice(lengthWhile(first, isBefore))
    for (const chunk of rest) yield* chunk
  }

  /** The first item that is not `before`. */
  first(isBefore: (item: Item) => boolean): Item | undefined {
    const chunk = this.#chunks[this.#chunkPlace(isBefore)]
    return chunk?.[lengthWhile(chunk, isBefore)]
  }

  *[Symbol.iterator](): Generator<Item, void> {
    for (const chunk of this.#chunks) yield* chunk
  }

  #before(item: Item): (other: Item) => boolean {
    return (other) => this.#order(other, item) < 0
  }

  /** Where the first chunk is that does not lie wholly before. */
  #chunkPlace(isBefore: (item: Item) => boolean): number {
    return lengthWhile(this.#chunks, (chunk) => {
      const last = chunk.at(-1)
      return last !== undefined && isBefore(last)
    })
  }
}

/** How many items at the beginning satisfy a predicate that no item behind them satisfies. */
const lengthWhile = <Item>(items: ReadonlyArray<Item>, isBefore: (item: Item) => boolean): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && isBefore(item)) low = middle + 1
    else high = middle
  }
  return low
}
