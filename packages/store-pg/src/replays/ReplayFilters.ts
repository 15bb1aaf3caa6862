/** Filters of replays as SQL conditions, and the table that each walks. */
import type { ReplayFilter } from "@runhook/core/domain/delivery/ReplayJob"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { wanted } from "../deliveries/history/DeliveryFilters.ts"
import { smallint, uuids } from "../sql/Parameters.ts"

/** What a replay goes through by id: the dead are known apart from the others, of which there may be many more. */
export const walked = (sql: SqlClient, { states }: ReplayFilter): Fragment =>
  states.every((state) => state === "dead")
    ? sql`(SELECT bucket, account_id, delivery_id AS id FROM webhook_dead)`
    : sql`webhook_deliveries`

/** Whether `x` is among those that the filter names, if it names any. */
export const named = (sql: SqlClient, { ids }: ReplayFilter): Fragment =>
  ids === null ? sql.literal("TRUE") : sql`x.id = ANY (${uuids(ids)})`

/** Whether a delivery `d` of the bucket is meant, as far as its row and those of its execution tell. */
export const meant = (
  sql: SqlClient,
  { bucket, filter }: { readonly bucket: number; readonly filter: ReplayFilter }
): Fragment =>
  filter.lastOnly ? sql`${wanted(sql, filter)} AND ${isLast(sql, bucket)}` : wanted(sql, filter)

const isLast = (sql: SqlClient, bucket: number): Fragment => sql`
  NOT EXISTS (
    SELECT FROM webhook_deliveries l
    WHERE l.bucket = ${smallint(bucket)} AND l.execution_id = d.execution_id
      AND (l.revision, l.id) > (d.revision, d.id)
  )`
