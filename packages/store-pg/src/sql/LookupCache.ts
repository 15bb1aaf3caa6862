/** Caches lookups outside transactions. */
import { type LookupCache, makeLookupCache } from "@runhook/core/engine/LookupCache"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isInTransaction } from "../engine/Transactions.ts"

/**
 * Caches what is found. A missing row is looked up again each time, and so is everything in a caller's transaction,
 * whose changes may be rolled back.
 */
export const cacheFound = <Asked, A, E>(
  sql: Pick<SqlClient, "transactionService">,
  lookup: (asked: Asked) => Effect.Effect<A, E>
): LookupCache<Asked, A, E> => {
  const found = makeLookupCache({ lookup, isKept: (answer) => answer !== undefined })
  const get = (asked: Asked) =>
    Effect.flatMap(isInTransaction(sql), (isJoined) => (isJoined ? lookup(asked) : found.get(asked)))
  return { ...found, get }
}
