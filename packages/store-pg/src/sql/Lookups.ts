/**
 * Joins to rows that are found by their whole key. `LIMIT 1` forces PostgreSQL to look them up one by one: otherwise
 * it may choose another join order, and read a whole bucket while its statistics know little.
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { smallint } from "./Parameters.ts"

/** The state `e` of a request `r`. */
export const happenedTo = (sql: SqlClient, bucket: number): Fragment => sql`
  CROSS JOIN LATERAL (
    SELECT * FROM executions e WHERE e.bucket = ${smallint(bucket)} AND e.id = r.id LIMIT 1
  ) AS e`

/** The result `x`, if there is one, of an execution of the given alias. */
export const resultOf = (sql: SqlClient, bucket: number, e: string): Fragment => sql`
  LEFT JOIN LATERAL (
    SELECT x.result, x.bytes FROM execution_results x
    WHERE x.bucket = ${smallint(bucket)} AND x.execution_id = ${sql.literal(e)}.id
    LIMIT 1
  ) AS x ON TRUE`
