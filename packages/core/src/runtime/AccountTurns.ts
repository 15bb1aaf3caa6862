/** A queue in which accounts take turns: each has a line of its own. */
export class AccountTurns<Member> {
  readonly #lines = new Map<string, Array<Member>>()

  get isEmpty(): boolean {
    return this.#lines.size === 0
  }

  add(account: string, member: Member): void {
    const line = this.#lines.get(account)
    if (line === undefined) this.#lines.set(account, [member])
    else line.push(member)
  }

  /** Takes the first of each line, and again, until there are `limit`. */
  take(limit: number): ReadonlyArray<Member> {
    const taken: Array<Member> = []
    for (const [account, line] of this.#lines) {
      if (taken.length === limit) break
      const [first] = line
      // Whoever was served stands behind the others, so this loop ends when nobody waits.
      this.#lines.delete(account)
      if (line.length > 1) this.#lines.set(account, line)
      if (first !== undefined) taken.push(first)
      line.shift()
    }
    return taken
  }

  /** Takes the first line, as far as `limit` goes, and the next, until there are so many: what belongs together goes together. */
  takeLines(limit: number): ReadonlyArray<Member> {
    const taken: Array<Member> = []
    for (const [account, line] of this.#lines) {
      if (taken.length === limit) break
      this.#lines.delete(account)
      taken.push(...line.splice(0, limit - taken.length))
      if (line.length > 0) this.#lines.set(account, line)
    }
    return taken
  }

  /** Whether the member waited until now. */
  remove(account: string, member: Member): boolean {
    const line = this.#lines.get(account)
    const place = line?.indexOf(member) ?? -1
    if (line === undefined || place < 0) return false
    line.splice(place, 1)
    if (line.length === 0) this.#lines.delete(account)
    return true
  }
}
