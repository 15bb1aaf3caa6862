/**
 * Stores something in the caller's open transaction, so that both are committed or neither. A group has a transaction
 * of its own and cannot do this.
 */
import type { Change } from "@runhook/core/domain/run/Run"
import { topicsOf } from "@runhook/core/runtime/ChangeSignals"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { channel, isForOthers, noticesOf } from "../signals/NotifyPayload.ts"
import { text, texts } from "../sql/Parameters.ts"

/** No process has this name, so every process hears the notification. */
const origin = "transaction"

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
    }),

    /** Signals a change when the transaction commits, and not at all if it is rolled back. */
    notify: (change: Change) => {
      const notices = noticesOf(origin, topicsOf(change).filter(isForOthers))
      return sql`SELECT pg_notify(${text(channel)}, notice) FROM unnest(${texts(notices)}) AS notice`
    }
  }
})
