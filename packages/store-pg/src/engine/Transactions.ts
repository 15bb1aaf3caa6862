/** Transactions that callers have open, and turns in them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import { text } from "../sql/Parameters.ts"

/** Whether the caller has one open. Another one in it is a savepoint. */
export const isInTransaction = ({
  transactionService
}: Pick<SqlClient, "transactionService">): Effect.Effect<boolean> =>
  Effect.map(Effect.serviceOption(transactionService), Option.isSome)

/**
 * Waits for others who do the same for an account or a key, and has them wait until the end of the transaction. It locks
 * no row: that of an account is a copy on every node of Citus, so to lock it would take them all.
 */
export const takeTurn = (
  sql: SqlClient,
  what: "cancels" | "endpoints" | "schedules" | "sessions",
  id: string
) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${text(`runhook ${what} ${id}`)}, 0))`
