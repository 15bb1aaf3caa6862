/**
 * A connection that is closed when an answer takes too long, so that nobody else
 * reads that answer. One that turns out to be read-only is closed as well: the
 * next one may lead to the new primary.
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { isReadOnly } from "../database/Outages.ts"
import { type Deadline, millisLeft, passed, whenPassed } from "./Deadline.ts"

export interface HeldConnection {
  readonly connection: PgConnection.PgConnection
  /** Runs what waits for the server, and fails as soon as the deadline has passed, also where nothing interrupts. */
  readonly within: <A, R>(
    deadline: Deadline,
    work: Effect.Effect<A, SqlError, R>
  ) => Effect.Effect<A, SqlError, R>
  /** Closes a connection that waits for the server, without a word to it. */
  readonly giveUp: Effect.Effect<void>
}

/** Holds a connection for one owner, until the scope ends. */
export const hold = Effect.fnUntraced(function* (
  shared: PgConnection.PgConnection,
  options: {
    /** Has a connection closed once it is not held any more, also when it waits for nothing. */
    readonly discard: Effect.Effect<void>
    /** Done when it turns out to be read-only. Default: nothing more. */
    readonly onReadOnly?: Effect.Effect<void>
  }
) {
  const holding = yield* Scope.fork(yield* Effect.scope)
  const connection = yield* Scope.provide(shared.pin, holding)

  // The driver destroys the socket of a connection that its holder leaves while something is under way.
  const giveUp = Effect.andThen(options.discard, Scope.close(holding, Exit.void))

  // The server may go on with the statement, and wait for a lock: it is asked not to, on a connection apart.
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
        // One that counts as lost is not rolled back: as it is, nobody else may have it.
        Effect.tapError((error) => {
          if (isReadOnly(error)) return Effect.andThen(options.discard, options.onReadOnly ?? Effect.void)
          return error.reason._tag === "ConnectionError" ? options.discard : Effect.void
        }),
        Effect.mapError((error) => (isGivenUp ? passed(deadline) : error)),
        Effect.onExit(() => Effect.sync(callOff))
      )
    })

  return { connection, giveUp, within } satisfies HeldConnection
})
