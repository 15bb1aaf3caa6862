/** Wakes all current waiters. Later ones wait for the next wake. */
export class Wakeup {
  #next = new AbortController()

  /** Aborts at the next `wake`. */
  get signal(): AbortSignal {
    return this.#next.signal
  }

  wake(): void {
    const woken = this.#next
    this.#next = new AbortController()
    woken.abort()
  }
}
