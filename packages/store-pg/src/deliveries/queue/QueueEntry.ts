/** How deliveries enter the queue. */
import type * as PgTypes from "@effect/sql-pg/PgTypes"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Clock } from "../../clock/StoreClock.ts"
import { originOf } from "./Origins.ts"

/** Puts the pending ones among the deliveries `d` of a relation into the queue. */
export const entersQueue = (sql: SqlClient, relation: string): Fragment => sql`
  INSERT INTO webhook_queue (bucket, account_id, origin, is_retry, due_at, delivery_id)
  SELECT d.bucket, d.account_id, ${originOf(sql, "d.url")}, d.attempts > 0, d.next_attempt_at, d.id
  FROM ${sql.literal(relation)} d
  WHERE d.next_attempt_at IS NOT NULL`

/** Due at once: no later than now by the clock of the database, however far ahead that of the caller is. */
export const dueAtOnce = (
  sql: SqlClient,
  { at, clock }: { readonly at: Fragment | PgTypes.Parameter; readonly clock: Clock }
): Fragment => (clock === "database" ? sql`least(${at}::timestamptz, now())` : sql`${at}::timestamptz`)
