/** Wakes what is waiting now; what waits later waits for the next ring. */
export class Bell {
  #next = new AbortController()

  /** Aborts at the next ring. */
  get signal(): AbortSignal {
    return this.#next.signal
  }

  ring(): void {
    const rung = this.#next
    this.#next = new AbortController()
    rung.abort()
  }
}
