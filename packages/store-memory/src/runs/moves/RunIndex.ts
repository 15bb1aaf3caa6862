/** An index over runs: those that have a key, grouped by it and ordered within the group. */
import type { Run } from "@runhook/core/runs/Run"
import type * as Order from "effect/Order"
import { SortedSet } from "../../tables/SortedSet.ts"

export class RunIndex<Key> {
  readonly #keyOf: (run: Run) => Key | null
  readonly #order: Order.Order<Run>
  readonly #groups = new Map<Key, SortedSet<Run>>()
  readonly #none: SortedSet<Run>

  constructor(options: {
    /** The group a run belongs to; null leaves it out. */
    readonly keyOf: (run: Run) => Key | null
    /** Must tell any two runs apart. */
    readonly order: Order.Order<Run>
  }) {
    this.#keyOf = options.keyOf
    this.#order = options.order
    this.#none = new SortedSet(options.order)
  }

  /** The runs of a group, to be read only. */
  of(key: Key): SortedSet<Run> {
    return this.#groups.get(key) ?? this.#none
  }

  /** Lets `after` stand in the place of `before`, if there is any. */
  replace(before: Run | undefined, after: Run | undefined): void {
    if (before !== undefined) this.#delete(before)
    if (after !== undefined) this.#add(after)
  }

  #add(run: Run): void {
    const key = this.#keyOf(run)
    if (key === null) return
    const group = this.#groups.get(key) ?? new SortedSet(this.#order)
    group.add(run)
    this.#groups.set(key, group)
  }

  #delete(run: Run): void {
    const key = this.#keyOf(run)
    const group = key === null ? undefined : this.#groups.get(key)
    if (key === null || group === undefined) return
    group.delete(run)
    if (group.size === 0) this.#groups.delete(key)
  }
}
