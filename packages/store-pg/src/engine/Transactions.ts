/** Transactions that callers have open. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"

/** Whether the caller has one open. Another one in it is a savepoint. */
export const isInTransaction = ({
  transactionService
}: Pick<SqlClient, "transactionService">): Effect.Effect<boolean> =>
  Effect.map(Effect.serviceOption(transactionService), Option.isSome)
