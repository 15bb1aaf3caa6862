/** Sets by key. A key whose set is empty is not kept. */
export class SetsByKey<Key, Member> {
  readonly #sets = new Map<Key, Set<Member>>()

  get isEmpty(): boolean {
    return this.#sets.size === 0
  }

  /** The members of a key, those that came first before the others. */
  of(key: Key): Iterable<Member> {
    return this.#sets.get(key) ?? []
  }

  *[Symbol.iterator](): Iterator<Member> {
    for (const members of this.#sets.values()) yield* members
  }

  add(key: Key, member: Member): void {
    const others = this.#sets.get(key)
    if (others === undefined) this.#sets.set(key, new Set([member]))
    else others.add(member)
  }

  delete(key: Key, member: Member): void {
    const others = this.#sets.get(key)
    others?.delete(member)
    if (others?.size === 0) this.#sets.delete(key)
  }
}
