/**
 * Ends what takes longer than a limit. All that has the same limit ends in the
 * order in which it began, so that one timer does for all of it: it waits for
 * the first. Most are over long before their end, and cost no timer.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"

/** Something that ends at a time, unless it is over before. */
export interface Deadline {
  /** By a clock that is never set. */
  readonly endsAt: bigint
  readonly expire: () => void
}

export class Deadlines {
  readonly #clock: Clock.Clock
  readonly #limit: bigint
  /** The first to end comes first. */
  readonly #open = new Set<Deadline>()
  readonly #hasSome = Latch.makeUnsafe()

  constructor(limit: Duration.Duration, clock: Clock.Clock) {
    this.#limit = Duration.toNanosUnsafe(limit)
    this.#clock = clock
  }

  /** After the limit it expires. */
  begin(expire: () => void): Deadline {
    const deadline = { endsAt: this.#clock.monotonicTimeNanosUnsafe() + this.#limit, expire }
    this.#open.add(deadline)
    if (this.#open.size === 1) this.#hasSome.openUnsafe()
    return deadline
  }

  /** It expires no more. */
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
