/** Wakes whatever waits now. What begins to wait later waits for the next time. */
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
