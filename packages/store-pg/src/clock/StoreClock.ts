/**
 * Whose clock says what time it is. Processes on several machines must agree on
 * it: one whose clock is an hour ahead would take what the others hold, and one
 * that is an hour behind would never find its work due. So it is the
 * database's, and what callers say of moments counts only as the distance
 * between them.
 */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { float8, timestamptz } from "../sql/Parameters.ts"

export type Clock =
  | "database"
  /** For tests, whose time is their own. */
  | "caller"

export const StoreClock = Context.Reference<Clock>("@runhook/store-pg/clock/StoreClock", {
  defaultValue: () => "database"
})

/** A caller's now, and whose clock says what it stands for. */
export interface CallersNow {
  readonly at: DateTime.Utc
  readonly clock: Clock
}

/** A host's transaction may be older than its statement, so this is of the statement. */
const databaseNow = "statement_timestamp()::timestamptz(3)"

/** The database's now, or what a caller says it is, as words of a text. */
export const nowSql = (clock: Clock, callers: string): string =>
  clock === "database" ? databaseNow : callers

/** The database's now, or what a caller says it is. */
export const nowBy = (sql: SqlClient, clock: Clock, callers: Fragment): Fragment =>
  clock === "database" ? sql.literal(databaseNow) : callers

/** The moment that a caller takes for now. */
export const nowOf = (sql: SqlClient, { at, clock }: CallersNow): Fragment =>
  nowBy(sql, clock, sql`${timestamptz(at)}::timestamptz(3)`)

/** A caller's now, and moments by their distance from it. */
export interface Moments {
  readonly now: Fragment
  after(distance: Duration.Duration): Fragment
  before(distance: Duration.Duration): Fragment
}

export const momentsOf = (sql: SqlClient, callers: CallersNow): Moments => {
  const now = nowOf(sql, callers)
  const after = (millis: number): Fragment => sql`(${now} + ${float8(millis)} * interval '1 millisecond')`
  return {
    now,
    after: (distance) => after(Duration.toMillis(distance)),
    before: (distance) => after(-Duration.toMillis(distance))
  }
}

/** A moment of the store's clock, by that of a caller who called `at` what was `now` there. */
export const byCallersClock = (
  moment: DateTime.Utc | null,
  { at, now }: { readonly at: DateTime.Utc; readonly now: DateTime.Utc }
): DateTime.Utc | null => moment && DateTime.addDuration(at, DateTime.distance(now, moment))
