/** Filters by the time in ids: an id carries the moment of its creation. */
import { lowestIdAt } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { uuid } from "./Parameters.ts"

/** The condition that an id was made within a range of time, including both ends; a null end is open. */
export const within = (
  sql: SqlClient,
  id: string,
  { from, to }: { readonly from: DateTime.Utc | null; readonly to: DateTime.Utc | null }
): Fragment => {
  const after = to && DateTime.add(to, { milliseconds: 1 })
  return sql.and([
    ...(from === null ? [] : [sql`${sql.literal(id)} >= ${uuid(lowestIdAt(from))}`]),
    ...(after === null ? [] : [sql`${sql.literal(id)} < ${uuid(lowestIdAt(after))}`])
  ])
}
