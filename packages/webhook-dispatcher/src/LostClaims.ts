/**
 * Claims whose answer never arrived. The store may hold deliveries as this
 * dispatcher's own that it knows nothing of, because a statement failed here
 * and was carried out there. They may show up at once, or as late as a lease
 * after: a database that hangs goes on with a statement.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Between two searches for what may have been claimed. */
const searchEvery = Duration.seconds(1)

export class LostClaims {
  readonly #lease: Duration.Duration
  #suspicion: { readonly until: DateTime.Utc; readonly searchAt: DateTime.Utc } | undefined
  #isSearching = false

  constructor(lease: Duration.Duration) {
    this.#lease = lease
  }

  /** Whether a search is under way: it would take what this dispatcher is given meanwhile for lost. */
  get isSearching(): boolean {
    return this.#isSearching
  }

  /** Marks a search as under way for as long as it takes. */
  searching<A, E, R>(search: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => (this.#isSearching = true)),
      () => search,
      () => Effect.sync(() => (this.#isSearching = false))
    )
  }

  /** There may be some from now on. */
  suspect(at: DateTime.Utc): void {
    this.#suspicion = { until: DateTime.addDuration(at, this.#lease), searchAt: at }
  }

  /** Whether it is time to search for them. */
  isSearchDue(at: DateTime.Utc): boolean {
    return this.#suspicion !== undefined && DateTime.isGreaterThanOrEqualTo(at, this.#suspicion.searchAt)
  }

  /** They were searched for, and what was found was given back. */
  searched(at: DateTime.Utc): void {
    if (this.#suspicion === undefined) return
    const isOver = DateTime.isGreaterThanOrEqualTo(at, this.#suspicion.until)
    this.#suspicion = isOver
      ? undefined
      : { ...this.#suspicion, searchAt: DateTime.addDuration(at, searchEvery) }
  }
}
