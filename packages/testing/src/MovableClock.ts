/** The time of one service: it runs normally, or stands still until a test advances it. */
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Longest that a timer of the platform can wait. */
const timerMax = 2 ** 31 - 1

interface Sleeper {
  readonly until: number
  readonly wake: () => void
}

export class MovableClock implements Clock.Clock {
  /** The time at which it stands still; null if it runs. */
  readonly #stoppedAt: number | null
  readonly #sleepers = new Set<Sleeper>()
  #movedBy = 0
  #timer: NodeJS.Timeout | undefined
  /** What has to be done before the process may end. */
  #underWay = 0

  constructor(stoppedAt: Date | undefined) {
    this.#stoppedAt = stoppedAt?.getTime() ?? null
  }

  /** Advances the time, and wakes sleepers whose time has come. */
  advance(milliseconds: number): void {
    this.#movedBy += milliseconds
    this.#wake()
  }

  /** Keeps the process alive until the work is done, which its timers do not. */
  async during<A>(work: Promise<A>): Promise<A> {
    this.#underWay += 1
    this.#timer?.ref()
    try {
      return await work
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#timer?.unref()
    }
  }

  currentTimeMillisUnsafe(): number {
    return (this.#stoppedAt ?? Date.now()) + this.#movedBy
  }

  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.currentTimeMillisUnsafe()) * 1_000_000n
  }

  monotonicTimeNanosUnsafe(): bigint {
    return this.currentTimeNanosUnsafe()
  }

  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration)
    if (millis <= 0) return Effect.yieldNow
    return Effect.callback((resume) => {
      const sleeper: Sleeper = {
        until: this.currentTimeMillisUnsafe() + millis,
        wake: () => resume(Effect.void)
      }
      this.#sleepers.add(sleeper)
      this.#setTimer()
      return Effect.sync(() => {
        this.#sleepers.delete(sleeper)
        this.#setTimer()
      })
    })
  }

  #wake(): void {
    const now = this.currentTimeMillisUnsafe()
    const woken = [...this.#sleepers]
      .filter(({ until }) => until <= now)
      .toSorted((one, other) => one.until - other.until)
    for (const sleeper of woken) this.#sleepers.delete(sleeper)
    for (const { wake } of woken) wake()
    this.#setTimer()
  }

  #setTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#stoppedAt !== null) return
    const next = Math.min(...Array.from(this.#sleepers, ({ until }) => until))
    if (next === Infinity) return
    const wait = Math.max(0, next - this.currentTimeMillisUnsafe())
    this.#timer = setTimeout(() => this.#wake(), Math.min(wait, timerMax))
    if (this.#underWay === 0) this.#timer.unref()
  }
}
