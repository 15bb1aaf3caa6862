/** A queue in which accounts take turns, each with a line of its own. */
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
      // An account that was served goes to the end, so the loop ends when no line is left.
      this.#lines.delete(account)
      if (line.length > 1) this.#lines.set(account, line)
      if (first !== undefined) taken.push(first)
      line.shift()
    }
    return taken
  }

  /** Takes whole lines, one after the other, until there are `limit` members: those of an account go together. */
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
