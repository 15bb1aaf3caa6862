/**
 * Which accounts other processes watch, as far as this one has heard. A watcher repeats itself; changes of an account
 * that was not mentioned for a while are not sent. While this process may have missed watchers, it treats every
 * account as watched.
 */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"

/** How often a process repeats that it watches an account. */
export const saidEvery = Duration.seconds(20)

/** How long an account counts as watched after it was mentioned. */
const heardFor = Duration.toMillis(Duration.times(saidEvery, 3))

export class RemoteWatchers {
  readonly #clock: Clock.Clock
  /** Epoch milliseconds by account id. */
  readonly #until = new Map<string, number>()
  #allUntil = Number.POSITIVE_INFINITY

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** This process begins to listen: within a while, all watchers will have repeated themselves. */
  listens(): void {
    this.#allUntil = this.#clock.currentTimeMillisUnsafe() + heardFor
  }

  heard(accountId: string): void {
    const now = this.#clock.currentTimeMillisUnsafe()
    for (const [each, until] of this.#until) if (until <= now) this.#until.delete(each)
    this.#until.set(accountId, now + heardFor)
  }

  has(accountId: string): boolean {
    const now = this.#clock.currentTimeMillisUnsafe()
    return now < this.#allUntil || now < (this.#until.get(accountId) ?? 0)
  }
}
