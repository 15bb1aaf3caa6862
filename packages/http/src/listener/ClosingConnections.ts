/**
 * Connections that got their last answer. Their callers have a moment to read it: closing a connection at once may
 * lose its answer.
 */
import type { Duplex } from "node:stream"
import type * as Clock from "effect/Clock"

/** Milliseconds to read the last answer and to close. */
const lingerMillis = 5_000

/** Connections that may linger at once. */
const lingerersMax = 1_000

export class ClosingConnections {
  readonly #clock: Clock.Clock
  readonly #since = new Map<Duplex, number>()

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  has(connection: Duplex): boolean {
    return this.#since.has(connection)
  }

  /** Lets it linger, with these last words if it can still hear them. */
  add(connection: Duplex, lastWords?: string): void {
    if (this.#since.size >= lingerersMax) return void connection.destroy()
    this.#since.set(connection, this.#clock.currentTimeMillisUnsafe())
    connection.once("close", () => this.#since.delete(connection))
    if (lastWords === undefined) return
    // Anything that still comes in is of no interest, but not reading it would cut the answer.
    connection.resume().end(lastWords)
  }

  /** Cuts those that had their moment. */
  sweep(): void {
    const latest = this.#clock.currentTimeMillisUnsafe() - lingerMillis
    for (const [connection, since] of this.#since) if (since <= latest) connection.destroy()
  }

  /** Cuts all of them. */
  end(): void {
    for (const connection of this.#since.keys()) connection.destroy()
  }
}
