/**
 * A pool whose sessions are all replaced when one of them turns out to be read-only, as after a failover: each would go on
 * to refuse a caller, long after the database takes writes again.
 */
import * as PgPool from "@effect/sql-pg/PgPool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

/** In milliseconds. A database that stays read-only answers reads, which should not begin a session each. */
const renewedAtMostEvery = 1_000

export interface Pool extends Pick<PgPool.PgPool, "get" | "invalidate"> {
  /** Begins new sessions. Those in use close when they are released. */
  readonly renew: Effect.Effect<void>
}

/** A pool that closes with the scope. */
export const make = Effect.fnUntraced(function* (config: PgPool.Config) {
  const context = yield* Effect.context<Scope.Scope>()
  const opened = Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    return { scope, sessions: yield* Scope.provide(PgPool.make(config), scope) }
  }).pipe(Effect.provideContext(context))

  let current = yield* opened
  let renewedAt = -Infinity
  const renew = Effect.gen(function* () {
    // Sockets live in real time, whatever the program's clock says.
    const now = performance.now()
    if (now - renewedAt < renewedAtMostEvery) return
    renewedAt = now
    const { scope } = current
    current = yield* Effect.orDie(opened)
    yield* Effect.forkDetach(Scope.close(scope, Exit.void), { startImmediately: true })
  })

  /** A caller that waits for a session while the sessions are replaced waits for one of the new ones. */
  const get: Pool["get"] = Effect.suspend(() => {
    const { sessions } = current
    return Effect.catchCause(sessions.get, (cause) =>
      sessions === current.sessions ? Effect.failCause(cause) : get
    )
  })

  const pool: Pool = {
    renew: Effect.uninterruptible(renew),
    get,
    invalidate: (connection) => Effect.suspend(() => current.sessions.invalidate(connection))
  }
  return pool
})
