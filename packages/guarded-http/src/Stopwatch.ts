/** Measures parts that follow one another: each lasts until the next begins. */
import type * as Clock from "effect/Clock"

export class Stopwatch<Part extends string> {
  readonly #clock: Clock.Clock
  readonly #ended = new Map<Part, number>()
  #running: { readonly part: Part; readonly since: number } | null = null

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** Ends the running part and begins another. A part that begins again continues its count. */
  begin(part: Part): void {
    this.stop()
    this.#running = { part, since: this.#clock.currentTimeMillisUnsafe() }
  }

  stop(): void {
    if (this.#running === null) return
    this.#ended.set(this.#running.part, this.#elapsed(this.#running))
    this.#running = null
  }

  /** Milliseconds that the part took, or has taken so far; null if it never began. */
  millis(part: Part): number | null {
    return this.#running?.part === part ? this.#elapsed(this.#running) : (this.#ended.get(part) ?? null)
  }

  #elapsed({ part, since }: { readonly part: Part; readonly since: number }): number {
    // A machine's clock may be set back.
    const elapsed = Math.max(0, this.#clock.currentTimeMillisUnsafe() - since)
    return (this.#ended.get(part) ?? 0) + Math.round(elapsed)
  }
}
