/**
 * What is this dispatcher's by the store, and it does not know of or has no
 * place for: mostly what a statement took that failed, and was made all the
 * same. It may come to light now, or as late as the lease would end, since a
 * database that hangs goes on with a statement.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Between looks for what may have been taken. */
const lookEvery = Duration.seconds(1)

export class Doubts {
  readonly #lease: Duration.Duration
  #open: { readonly until: DateTime.Utc; readonly lookAt: DateTime.Utc } | undefined

  constructor(lease: Duration.Duration) {
    this.#lease = lease
  }

  #isLooking = false

  /** Whether it is being looked for: what became the dispatcher's only now would be taken for it. */
  get isLooking(): boolean {
    return this.#isLooking
  }

  /** Looks for it. */
  looking<A, E, R>(look: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => (this.#isLooking = true)),
      () => look,
      () => Effect.sync(() => (this.#isLooking = false))
    )
  }

  /** There may be some from now on. */
  began(at: DateTime.Utc): void {
    this.#open = { until: DateTime.addDuration(at, this.#lease), lookAt: at }
  }

  /** Whether it is time to look for what was taken. */
  isDue(at: DateTime.Utc): boolean {
    return this.#open !== undefined && DateTime.isGreaterThanOrEqualTo(at, this.#open.lookAt)
  }

  /** It was looked for, and given back. */
  looked(at: DateTime.Utc): void {
    if (this.#open === undefined) return
    const isOver = DateTime.isGreaterThanOrEqualTo(at, this.#open.until)
    this.#open = isOver ? undefined : { ...this.#open, lookAt: DateTime.addDuration(at, lookEvery) }
  }
}
