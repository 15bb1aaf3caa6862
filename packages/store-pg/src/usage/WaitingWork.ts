/** The work that waits for an agent: what is due and what no runner has. */
import { integer } from "../sql/Parameters.ts"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { TimeSql } from "../clock/StoreClock.ts"
import type { Within } from "../accounts/Buckets.ts"

export interface WaitingWorkOptions {
  readonly timeSql: TimeSql
  readonly within: Within
  /** Executions are counted up to this. */
  readonly countsTo: number
}

/** Selects `executions`, and `due_at` of the oldest, for the row `a` of `agents`. */
export const makeWaitingWork = Effect.map(
  SqlClient,
  (sql) =>
    ({ countsTo, timeSql, within }: WaitingWorkOptions): Fragment => {
      const most = integer(countsTo)
      const queued = (table: string, isDue: Fragment) => sql`(
        SELECT q.due_at
        FROM ${sql(table)} q
        WHERE q.bucket = a.bucket AND q.agent_id = a.id AND ${isDue} AND ${within("q")}
        LIMIT ${most}
      )`
      return sql`
        SELECT least(count(*), ${most})::integer AS executions, min(due_at) AS due_at
        FROM (
          ${queued("ready_queue", sql`TRUE`)}
          UNION ALL
          ${queued("delayed_queue", sql`q.due_at <= ${timeSql.now}`)}
        ) AS due`
    }
)
