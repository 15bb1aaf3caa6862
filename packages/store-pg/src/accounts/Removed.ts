/** Leaves out the rows of removed accounts that are not erased yet. */
import { literal } from "effect/sql/Statement"

/** Whether the account of a row of a table without buckets is still known. */
export const isAccountKnown = (table: string) =>
  literal(`EXISTS (SELECT FROM accounts a WHERE a.id = ${table}.account_id AND a.removed_at IS NULL)`)
