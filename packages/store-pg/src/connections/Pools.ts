/**
 * Pools on one server. When a session turns out to be read-only, as after a failover, the sessions of all pools are
 * replaced: each of them would go on to refuse a caller, long after the database takes writes again.
 */
import * as PgPool from "@effect/sql-pg/PgPool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"

/** In milliseconds. A database that stays read-only answers reads, which should not begin a session each. */
const renewedAtMostEvery = 1_000

export interface Pool extends Pick<PgPool.PgPool, "get" | "invalidate"> {
  /** Has all pools begin new sessions. Those in use close when they are released. */
  readonly renewAll: Effect.Effect<void>
}

export interface Pools {
  /** A pool that closes with the scope. */
  open(config: PgPool.Config): Effect.Effect<Pool, SqlError, Scope.Scope>
}

export const make = (): Pools => {
  const renewals: Array<Effect.Effect<void>> = []
  let renewedAt = -Infinity
  const renewAll = Effect.suspend(() => {
    // Sockets live in real time, whatever the program's clock says.
    const now = performance.now()
    if (now - renewedAt < renewedAtMostEvery) return Effect.void
    renewedAt = now
    return Effect.all(renewals, { discard: true })
  })

  const open: Pools["open"] = Effect.fnUntraced(function* (config) {
    const context = yield* Effect.context<Scope.Scope>()
    const opened = Effect.gen(function* () {
      const scope = yield* Scope.fork(yield* Effect.scope)
      return { scope, sessions: yield* Scope.provide(PgPool.make(config), scope) }
    }).pipe(Effect.provideContext(context))

    let current = yield* opened
    const renew = Effect.gen(function* () {
      const { scope } = current
      current = yield* Effect.orDie(opened)
      yield* Effect.forkDetach(Scope.close(scope, Exit.void), { startImmediately: true })
    })
    renewals.push(Effect.uninterruptible(renew))

    /** A caller that waits for a session while its pool is replaced waits for one of the new pool. */
    const get: Pool["get"] = Effect.suspend(() => {
      const { sessions } = current
      return Effect.catchCause(sessions.get, (cause) =>
        sessions === current.sessions ? Effect.failCause(cause) : get
      )
    })

    return {
      renewAll,
      get,
      invalidate: (connection) => Effect.suspend(() => current.sessions.invalidate(connection))
    }
  })

  return { open }
}
