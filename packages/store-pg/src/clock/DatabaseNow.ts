/**
 * The database's time between its answers. Each answer carries the moment at which its statement began; from there
 * this counts on with the monotonic clock of the process. So it is never ahead of the database: what is due by this
 * clock is due there.
 */
import * as DateTime from "effect/DateTime"

/** How long a reading counts, in milliseconds. */
export const countsFor = 10_000

/** After this time a new reading replaces the old one, even if its answer was slow. */
const trustedFor = 5_000

/** The moment of a statement, in whole milliseconds. */
export const databaseNow = "floor(extract(epoch FROM statement_timestamp()) * 1000)::float8"

export class DatabaseNow {
  /** The database's milliseconds at a moment of the steady clock. */
  #reading: { readonly now: number; readonly steady: number } | undefined
  readonly #steady: () => number

  /** `steady` is the monotonic clock of the process, in milliseconds. */
  constructor(steady: () => number = () => performance.now()) {
    this.#steady = steady
  }

  /** Notes the time in an answer that has just arrived. */
  note(now: number): void {
    const steady = this.#steady()
    const before = this.#reading
    const isTrusted = before !== undefined && steady - before.steady < trustedFor
    if (!isTrusted || now > before.now + (steady - before.steady)) this.#reading = { now, steady }
  }

  /** The database's now; undefined if it has not answered lately. */
  get current(): DateTime.Utc | undefined {
    if (this.#reading === undefined) return undefined
    const passed = this.#steady() - this.#reading.steady
    return passed < countsFor ? DateTime.makeUnsafe(Math.floor(this.#reading.now + passed)) : undefined
  }
}
