/**
 * Stores something in the caller's open transaction, so that both are committed or neither. A group has a transaction
 * of its own and cannot do this.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"

export const makeInHostTransaction = Effect.gen(function* () {
  const sql = yield* SqlClient

  return {
    /** Whether the caller has a transaction open. */
    isOpen: Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome),

    /** Runs work in the transaction. If the database refuses it, the transaction stays usable. */
    within: Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
      yield* sql`SAVEPOINT runhook`
      const done = yield* Effect.onError(work, () => Effect.ignore(sql`ROLLBACK TO SAVEPOINT runhook`))
      yield* sql`RELEASE SAVEPOINT runhook`
      return done
    })
  }
})
