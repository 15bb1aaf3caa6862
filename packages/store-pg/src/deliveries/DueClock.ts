/**
 * Whose clock says what is due. Dispatchers on several machines must agree on
 * it: one whose clock is an hour ahead would take what the others hold, and
 * send it twice. So it is the database's, and what callers say of moments
 * counts only as the distance between them.
 */
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { instant } from "../Instants.ts"

export type Clock =
  | "database"
  /** For tests, whose time is their own. */
  | "caller"

export const DueClock = Context.Reference<Clock>("@runhook/store-pg/deliveries/DueClock", {
  defaultValue: () => "database"
})

/** The moment that a caller takes for now. */
export const nowOf = (
  sql: SqlClient,
  { at, clock }: { readonly at: DateTime.Utc; readonly clock: Clock }
): Fragment => (clock === "database" ? sql`now()::timestamptz(3)` : sql`${instant(at)}::timestamptz(3)`)
