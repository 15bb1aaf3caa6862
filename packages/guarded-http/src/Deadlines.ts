/**
 * Ends what takes longer than a limit. Everything with the same limit expires in
 * the order in which it began, so one timer, which waits for the first, is enough.
 * Most things are over long before, and cost no timer.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"

/** Something that expires, unless it is over before. */
export interface Deadline {
  /** By a clock that is never set. */
  readonly endsAt: bigint
  readonly expire: () => void
}

export class Deadlines {
  readonly #clock: Clock.Clock
  readonly #limit: bigint
  /** The first to expire comes first. */
  readonly #open = new Set<Deadline>()
  readonly #hasSome = Latch.makeUnsafe()

  constructor(limit: Duration.Duration, clock: Clock.Clock) {
    this.#limit = Duration.toNanosUnsafe(limit)
    this.#clock = clock
  }

  /** Begins a deadline, which expires after the limit. */
  begin(expire: () => void): Deadline {
    const deadline = { endsAt: this.#clock.monotonicTimeNanosUnsafe() + this.#limit, expire }
    this.#open.add(deadline)
    if (this.#open.size === 1) this.#hasSome.openUnsafe()
    return deadline
  }

  /** Ends a deadline before it expires. */
  over(deadline: Deadline): void {
    this.#open.delete(deadline)
  }

  /** Deadlines with this limit, which expire until the scope ends. */
  static make(limit: Duration.Duration): Effect.Effect<Deadlines, never, Scope.Scope> {
    return Effect.gen(function* () {
      const deadlines = new Deadlines(limit, yield* Clock.Clock)
      yield* Effect.forkScoped(deadlines.#expire)
      return deadlines
    })
  }

  get #expire(): Effect.Effect<never> {
    return Effect.forever(
      Effect.suspend(() => {
        const now = this.#clock.monotonicTimeNanosUnsafe()
        for (const deadline of this.#open) {
          if (deadline.endsAt > now) return Effect.sleep(Duration.nanos(deadline.endsAt - now))
          this.#open.delete(deadline)
          deadline.expire()
        }
        this.#hasSome.closeUnsafe()
        return this.#hasSome.await
      })
    )
  }
}
