/**
 * Whose clock counts. Processes on several machines must agree: one whose clock is an hour fast would take over work
 * that others still hold, and one that is an hour slow would never find its work due. So the database's clock counts;
 * of the moments that callers give, only the distance to their now does.
 */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { float8, timestamptz } from "../sql/Parameters.ts"
import { type Fixed, fixed } from "../sql/Statement.ts"

/**
 * The clock of a distributed database's coordinator, as this process follows it. Each node would have another now in
 * the same statement, so statements carry this one as a parameter.
 */
export interface Followed {
  readonly now: () => DateTime.Utc
}

export type Clock =
  | "database"
  | Followed
  /** For tests, whose time is their own. */
  | "caller"

export const StoreClock = Context.Reference<Clock>("@runhook/store-pg/clock/StoreClock", {
  defaultValue: () => "database"
})

/** The statement's time: a host's transaction may be older. */
const databaseNow = "statement_timestamp()::timestamptz(3)"

/** SQL for the now of a clock, or for what the caller says it is. */
export const nowSql = <Asked>(clock: Clock, callers: Fixed<Asked>): Fixed<Asked> => {
  if (clock === "database") return fixed`${databaseNow}`
  return clock === "caller" ? callers : timestamptz(() => clock.now())
}

/** The now that a function in the database is given; null where the database's own counts. */
export const nowGiven = (clock: Clock, callers: DateTime.Utc): DateTime.Utc | null => {
  if (clock === "database") return null
  return clock === "caller" ? callers : clock.now()
}

/** What counts as now for a caller that has read rows, where the caller's `at` was the database's `read`. */
export const nowOf = (
  clock: Clock,
  { at, read }: { readonly at: DateTime.Utc; readonly read: number }
): DateTime.Utc => {
  if (clock === "database") return DateTime.makeUnsafe(read)
  return clock === "caller" ? at : clock.now()
}

/** The same before anything was read, as far as earlier reads tell. */
export const nowKnown = (
  clock: Clock,
  { at, known }: { readonly at: DateTime.Utc; readonly known: DateTime.Utc | undefined }
): DateTime.Utc | undefined => {
  if (clock === "database") return known
  return clock === "caller" ? at : clock.now()
}

/** A caller's now as the store has it, and moments by their distance from it. */
export interface TimeSql {
  /** As the caller says it. */
  readonly at: DateTime.Utc
  readonly now: Fragment
  after(distance: Duration.Duration): Fragment
  before(distance: Duration.Duration): Fragment
}

const timeSqlOf = (sql: SqlClient, clock: Clock, at: DateTime.Utc): TimeSql => {
  const now =
    clock === "database" ? sql.literal(databaseNow) : timestamptz(clock === "caller" ? at : clock.now())
  const after = (millis: number): Fragment => sql`(${now} + ${float8(millis)} * interval '1 millisecond')`
  return {
    at,
    now,
    after: (distance) => after(Duration.toMillis(distance)),
    before: (distance) => after(-Duration.toMillis(distance))
  }
}

/** Makes the `TimeSql` of a caller's now, by the store's clock. */
export const makeTimeSqlAt = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* StoreClock
  return (at: DateTime.Utc): TimeSql => timeSqlOf(sql, clock, at)
})

/** A moment of the store's clock on the clock of a caller, whose `at` was `now` there. */
export const byCallersClock = (
  moment: DateTime.Utc | null,
  { at, now }: { readonly at: DateTime.Utc; readonly now: DateTime.Utc }
): DateTime.Utc | null => moment && DateTime.addDuration(at, DateTime.distance(now, moment))
