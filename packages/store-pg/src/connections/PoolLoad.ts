/** How busy the connections of a process are, for operators. */
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const used = gauge(
  "runhook_database_connections_used",
  "Connections that statements or transactions hold now"
)
const waiting = gauge("runhook_database_connections_waiting", "Statements and transactions that wait for one")
const most = gauge("runhook_database_connections_max", "Connections that this process may hold for its work")

export interface Load {
  /** Counts work that waits for a connection. */
  waiting<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** Counts a connection until the scope ends. */
  readonly using: Effect.Effect<void, never, Scope.Scope>
}

export const unshown: Load = { waiting: Function.identity, using: Effect.void }

/** Shown until the scope ends. */
export const shownLoad = Effect.fnUntraced(function* (connectionsMax: number) {
  const context = yield* Effect.context<never>()
  const now = { used: 0, waiting: 0 }
  const show = (metric: Metric.Gauge<number>, value: () => number) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        Metric.registerUnsafe(metric, context, {
          get: () => ({ value: value() }),
          update: Function.constVoid,
          modify: Function.constVoid
        })
      ),
      (registration) => Effect.sync(registration.remove)
    )
  yield* show(used, () => now.used)
  yield* show(waiting, () => now.waiting)
  yield* show(most, () => connectionsMax)
  const load: Load = {
    waiting: (work) =>
      Effect.suspend(() => {
        now.waiting += 1
        return Effect.onExit(work, () => Effect.sync(() => (now.waiting -= 1)))
      }),
    using: Effect.acquireRelease(
      Effect.sync(() => void (now.used += 1)),
      () => Effect.sync(() => (now.used -= 1))
    )
  }
  return load
})
