/** The latest changes of one account, for its followers: each reads on from its own position. */
import * as Latch from "effect/Latch"
import type { AccountChange, ChangedKind, ChangedThing } from "./AccountChange.ts"

/** Changes that are kept. A reader that has missed more must fetch everything. */
export const changesMax = 512

/** Changes that are listed one by one; of more, only their kinds. */
export const toldMax = 100

/** What a reader gets. */
export type News =
  | { readonly _tag: "Changed"; readonly change: AccountChange & { readonly thing: ChangedThing } }
  /** Some things of these kinds changed: a reader that shows any of them fetches them again. */
  | { readonly _tag: "Many"; readonly kinds: ReadonlyArray<ChangedKind> }
  /** The reader's position is unknown here, or too old: it fetches everything. */
  | { readonly _tag: "Reset" }

/** The news, and the position after it. */
export interface ToldChanges {
  readonly news: ReadonlyArray<News>
  readonly position: string
}

export class ChangeRing {
  /** Opened at each change. A woken reader closes it before it reads. */
  readonly changed = Latch.makeUnsafe()
  readonly #name: string
  #lost = 0
  #count = 0
  #latest: Array<AccountChange> = []

  /** The name is unique to this ring, here and in other processes: positions begin with it. */
  constructor(name: string) {
    this.#name = name
  }

  get position(): string {
    return `${this.#name}.${this.#lost}-${this.#count}`
  }

  add(change: AccountChange): void {
    this.#latest.push(change)
    this.#count += 1
    // Up to twice as many are kept for a while, so that most changes move none.
    if (this.#latest.length >= 2 * changesMax) this.#latest = this.#latest.slice(-changesMax)
    this.changed.openUnsafe()
  }

  /** Anything may have changed that was not added. */
  lose(): void {
    this.#lost += 1
    this.#latest = []
    this.changed.openUnsafe()
  }

  knows(position: string): boolean {
    return this.#missedSince(position) !== undefined
  }

  /** What has happened since the position: nothing if it is the current one. */
  since(position: string): ToldChanges {
    const missed = this.#missedSince(position)
    const news: ReadonlyArray<News> = missed === undefined ? [{ _tag: "Reset" }] : newsOf(missed)
    return { news, position: this.position }
  }

  /** Undefined if that cannot be known. */
  #missedSince(position: string): ReadonlyArray<AccountChange> | undefined {
    const [ring, count = ""] = position.split("-")
    const missed = this.#count - Number(count)
    const isHere = ring === `${this.#name}.${this.#lost}` && /^[0-9]{1,15}$/.test(count)
    if (!isHere || missed < 0 || missed > this.#latest.length) return undefined
    return missed === 0 ? [] : this.#latest.slice(-missed)
  }
}

const newsOf = (changes: ReadonlyArray<AccountChange>): ReadonlyArray<News> => {
  const kinds = new Set(changes.filter(({ thing }) => thing === null).map(({ kind }) => kind))
  const things = latestOfEach(changes).filter(({ change: { kind } }) => !kinds.has(kind))
  if (things.length > toldMax) for (const { change } of things) kinds.add(change.kind)
  const many: ReadonlyArray<News> = kinds.size === 0 ? [] : [{ _tag: "Many", kinds: [...kinds] }]
  return things.length > toldMax ? many : [...many, ...things]
}

/** Each thing once, with its latest state, in that order; new if it was new in any of them. */
const latestOfEach = (changes: ReadonlyArray<AccountChange>) => {
  const latest = new Map<string, Extract<News, { readonly _tag: "Changed" }>>()
  for (const { accountId, kind, thing } of changes) {
    if (thing === null) continue
    const key = `${kind} ${thing.id}`
    const isNew = thing.isNew || latest.get(key)?.change.thing.isNew === true
    latest.delete(key)
    latest.set(key, { _tag: "Changed", change: { accountId, kind, thing: { ...thing, isNew } } })
  }
  return [...latest.values()]
}
