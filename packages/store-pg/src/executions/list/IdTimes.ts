/** Filters by the time in ids: an id carries the moment of its creation. */
import type * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { uuid } from "../../sql/Parameters.ts"

/** The condition that an id was made in a span of time, which has no end where it is null. */
export const within = (
  sql: SqlClient,
  id: string,
  { from, to }: { readonly from: DateTime.Utc | null; readonly to: DateTime.Utc | null }
): Fragment =>
  sql.and([
    ...(from === null ? [] : [sql`${sql.literal(id)} >= ${uuid(firstIdOf(from))}`]),
    ...(to === null ? [] : [sql`${sql.literal(id)} <= ${uuid(lastIdOf(to))}`])
  ])

/** The time of an id, as its first twelve digits. */
const timeOf = (at: DateTime.Utc): string => {
  const digits = Math.max(0, at.epochMilliseconds).toString(16).padStart(12, "0")
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** Not behind any id that was made at that moment. */
const firstIdOf = (at: DateTime.Utc): string => `${timeOf(at)}-0000-0000-000000000000`

/** Not before any id that was made at that moment. */
const lastIdOf = (at: DateTime.Utc): string => `${timeOf(at)}-ffff-ffff-ffffffffffff`
