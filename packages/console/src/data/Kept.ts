/** What is shown again at once when the user returns to it. It is in memory only, and gone when the session ends. */

const all = new Set<{ readonly clear: () => void }>()

/** The values used last, by key. */
export class Kept<A> {
  readonly #values = new Map<string, A>()
  readonly #max: number

  constructor(max = 8) {
    this.#max = max
    all.add(this.#values)
  }

  get(key: string): A | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: A): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest)
  }
}

export const forgetAll = (): void => {
  for (const values of all) values.clear()
}
