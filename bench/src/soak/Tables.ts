/** The sizes of the service's tables, and the work that waits in them. */
import * as Schema from "effect/Schema"
import type { Database } from "../Postgres.ts"

const Table = Schema.Struct({
  name: Schema.String,
  /** With its indexes, and what is stored beside it. */
  bytes: Schema.NumberFromString,
  live: Schema.NumberFromString,
  dead: Schema.NumberFromString,
  inserted: Schema.NumberFromString,
  updated: Schema.NumberFromString,
  deleted: Schema.NumberFromString,
  vacuums: Schema.NumberFromString
})
export type Table = typeof Table.Type

const Tables = Schema.Array(Table)

/** As PostgreSQL counts them, the largest first. Live and dead rows are estimates between two vacuums. */
export const tablesOf = async ({ run }: Database): Promise<ReadonlyArray<Table>> =>
  Schema.decodeUnknownSync(Tables)(
    await run(`
      SELECT relname AS name, pg_total_relation_size(relid) AS bytes, n_live_tup AS live, n_dead_tup AS dead,
        n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_del AS deleted,
        vacuum_count + autovacuum_count AS vacuums
      FROM pg_stat_user_tables
      ORDER BY bytes DESC, name`)
  )

const Backlog = Schema.Struct({
  queued: Schema.NumberFromString,
  leased: Schema.NumberFromString,
  callbacks: Schema.NumberFromString
})

/** Executions that wait for a runner, those that a runner has, and callbacks that are not settled. */
export const backlogOf = async ({ run }: Database): Promise<typeof Backlog.Type> => {
  const [row] = await run(`
    SELECT (SELECT count(*) FROM ready_queue) + (SELECT count(*) FROM delayed_queue) AS queued,
      (SELECT count(*) FROM agent_slots WHERE execution_id IS NOT NULL) AS leased,
      (SELECT count(*) FROM webhook_queue) AS callbacks`)
  return Schema.decodeUnknownSync(Backlog)(row)
}
