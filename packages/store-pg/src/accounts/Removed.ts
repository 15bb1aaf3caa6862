/** Tells what belongs to a removed account from all else, while its rows are still there. */
import { literal } from "effect/sql/Statement"

/** Whether the account of a row of a table without buckets is still known. */
export const isAccountKnown = (table: string) =>
  literal(`EXISTS (SELECT FROM accounts a WHERE a.id = ${table}.account_id AND a.removed_at IS NULL)`)
