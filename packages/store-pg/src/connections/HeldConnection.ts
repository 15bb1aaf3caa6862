/**
 * A connection that is closed when an answer takes too long, so that no one else reads that answer. A read-only one
 * is closed as well: the next one may lead to the new primary.
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { isBroken, isReadOnly } from "../database/Outages.ts"
import { type Deadline, millisLeft, passed, whenPassed } from "./Deadline.ts"

export interface HeldConnection {
  readonly connection: PgConnection.PgConnection
  /**
   * Runs work that waits for the server, and fails as soon as the deadline has passed, even if the work cannot be
   * interrupted.
   */
  readonly within: <A, R>(
    deadline: Deadline,
    work: Effect.Effect<A, SqlError, R>
  ) => Effect.Effect<A, SqlError, R>
  /** Closes a connection that waits for the server, without telling the server. */
  readonly giveUp: Effect.Effect<void>
}

/** Holds a connection for one owner, until the scope ends. */
export const hold = Effect.fnUntraced(function* (
  shared: PgConnection.PgConnection,
  options: {
    /** Closes a connection once it is released, even if it waits for nothing. */
    readonly discard: Effect.Effect<void>
    /** Runs when it turns out to be read-only. Default: nothing more. */
    readonly onReadOnly?: Effect.Effect<void>
  }
) {
  const holding = yield* Scope.fork(yield* Effect.scope)
  const connection = yield* Scope.provide(shared.pin, holding)

  // The driver destroys the socket of a connection that is released while a statement is in flight.
  const giveUp = Effect.andThen(options.discard, Scope.close(holding, Exit.void))

  // The server may go on with the statement, and wait for a lock, so another connection cancels it.
  const giveUpStatement = Effect.andThen(
    Effect.forkDetach(connection.interrupt, { startImmediately: true }),
    giveUp
  )

  const within: HeldConnection["within"] = (deadline, work) =>
    Effect.suspend(() => {
      if (millisLeft(deadline) <= 0) return Effect.andThen(options.discard, Effect.fail(passed(deadline)))
      let isGivenUp = false
      const callOff = whenPassed(deadline, () => {
        isGivenUp = true
        Effect.runFork(giveUpStatement)
      })
      return work.pipe(
        // A lost connection is not rolled back, and no one else may get it in this state.
        Effect.tapError((error) => {
          if (isReadOnly(error)) return Effect.andThen(options.discard, options.onReadOnly ?? Effect.void)
          return isBroken(error) ? options.discard : Effect.void
        }),
        Effect.mapError((error) => (isGivenUp ? passed(deadline) : error)),
        Effect.onExit(() => Effect.sync(callOff))
      )
    })

  return { connection, giveUp, within } satisfies HeldConnection
})
