/**
 * Whether other processes listen. PostgreSQL knows: each listener holds a lock on its listening connection, and a new
 * listener announces itself. So nothing is sent when nobody listens.
 */
export class OtherListeners {
  #isEmpty = false
  #isHeard = false

  /** False unless it is certain. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** A count begins. A process that is heard meanwhile may not be in it. */
  counting(): void {
    this.#isHeard = false
  }

  counted(listeners: number): void {
    this.#isEmpty = listeners === 1 && !this.#isHeard
  }

  /** Another process was heard. Answers whether nothing was sent to it so far. */
  heard(): boolean {
    const wasEmpty = this.#isEmpty
    this.#isHeard = true
    this.#isEmpty = false
    return wasEmpty
  }

  /** This process no longer hears new listeners. */
  isDeaf(): void {
    this.#isEmpty = false
  }
}
