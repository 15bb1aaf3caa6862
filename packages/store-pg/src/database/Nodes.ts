/**
 * Whether rows lie by bucket on the nodes of a distributed PostgreSQL. Each table
 * of a statement has to name its bucket there, or the statement is refused.
 */
import * as Context from "effect/Context"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { smallint } from "../sql/Parameters.ts"

export const IsDistributed = Context.Reference<boolean>("@runhook/store-pg/database/IsDistributed", {
  defaultValue: () => false
})

/** A bucket, and whether rows lie by it. */
export interface Place {
  readonly bucket: number
  readonly isDistributed: boolean
}

/**
 * Names the bucket of a table whose rows an index finds without it, where it has
 * to be named. Elsewhere that would offer PostgreSQL a second index, which it
 * takes for the better one where it knows little of the table.
 */
export const inPlace = (sql: SqlClient, table: string, { bucket, isDistributed }: Place): Fragment =>
  isDistributed ? sql`AND ${sql.literal(table)}.bucket = ${smallint(bucket)}` : sql``
