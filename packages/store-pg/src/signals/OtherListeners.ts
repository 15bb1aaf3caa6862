/**
 * Whether other processes listen. PostgreSQL knows, since each of them holds a
 * lock beside the others, on the connection on which it listens; and who begins
 * to listen says so. So nothing is told to nobody.
 */
export class OtherListeners {
  #isEmpty = false
  #isHeard = false

  /** False unless it is known for certain. */
  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** They are about to be counted. Who is heard meanwhile may not be among them. */
  counting(): void {
    this.#isHeard = false
  }

  counted(listeners: number): void {
    this.#isEmpty = listeners === 1 && !this.#isHeard
  }

  /** Another has told something. Answers whether nothing was told since it came. */
  heard(): boolean {
    const wasEmpty = this.#isEmpty
    this.#isHeard = true
    this.#isEmpty = false
    return wasEmpty
  }

  /** Nobody hears who comes. */
  isDeaf(): void {
    this.#isEmpty = false
  }
}
