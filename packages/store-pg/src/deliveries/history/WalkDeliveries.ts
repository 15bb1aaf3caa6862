/** Chooses the index that a list of deliveries walks: the one that covers most of the filter. */
import { causesOf, DeliveryCause } from "@runhook/core/domain/delivery/AttemptCause"
import type { AccountId } from "@runhook/core/domain/Ids"
import { foundMax, idsFrom } from "@runhook/core/domain/IdPrefix"
import type { PageRequest } from "@runhook/core/domain/Page"
import type { DeliveryFilter } from "@runhook/core/ports/DeliveryStore"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { behind, oneMore } from "../../sql/Paging.ts"
import { integer, smallint, text, texts, uuid } from "../../sql/Parameters.ts"
import { inPlace, type Place } from "../../database/Nodes.ts"
import { idsFound } from "../../executions/list/FindIds.ts"
import { numberOf, originSql } from "../queue/Origins.ts"
import { causeNumber } from "./CauseNumber.ts"
import { wanted } from "./DeliveryFilters.ts"

interface Walk extends Place {
  readonly accountId: AccountId
  readonly filter: DeliveryFilter
  readonly page: PageRequest
}

/** The matching deliveries `d`, newest first, from `FROM` to `ORDER BY`. */
export const walked = (sql: SqlClient, walk: Walk): Fragment => {
  const { filter } = walk
  if (filter.find !== null && filter.find !== undefined) return walkedByBeginning(sql, walk, filter.find)
  if (filter.executionId !== null) return walkedPlainly(sql, walk, sql`webhook_deliveries d`)
  if (isByCause(filter)) return walkedByCause(sql, walk)
  if (isOfDead(filter))
    return sql`${listed(sql, walk, "webhook_dead", isOwn(sql, walk))} ORDER BY x.delivery_id DESC`
  return walkedPlainly(sql, walk, rowsOf(sql, walk))
}

const walkedPlainly = (sql: SqlClient, walk: Walk, rows: Fragment): Fragment => sql`
  ${rows}
  WHERE ${own(sql, walk)} AND ${behind(sql, "d.id", walk.page)} AND ${wanted(sql, walk.filter)}
  ORDER BY d.id DESC`

/** By the beginning of their own id, and of the id or reference of their execution. */
const walkedByBeginning = (sql: SqlClient, walk: Walk, find: string): Fragment => {
  const range = idsFrom(find)
  const ids = [
    sql`(
      SELECT d.id FROM ${idsFound(sql, { ...walk, find })} AS begun
      CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(walk.bucket)} AND d.execution_id = begun.id
        OFFSET 0
      ) AS d
    )`,
    ...(range === null
      ? []
      : [
          sql`(
            SELECT d.id FROM webhook_deliveries d
            WHERE ${own(sql, walk)} AND d.id >= ${uuid(range.lowest)} AND d.id <= ${uuid(range.highest)}
            ORDER BY d.id DESC
            LIMIT ${integer(foundMax)}
          )`
        ])
  ]
  return sql`
    (SELECT id FROM (${sql.join(" UNION ", false)(ids)}) AS begun ORDER BY id DESC) AS sought
    CROSS JOIN LATERAL (SELECT * FROM webhook_deliveries d WHERE ${own(sql, walk)} AND d.id = sought.id LIMIT 1) AS d
    WHERE ${behind(sql, "sought.id", walk.page)} AND ${wanted(sql, walk.filter)}
    ORDER BY sought.id DESC`
}

const own = (sql: SqlClient, { accountId, bucket }: Walk): Fragment =>
  sql`d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)}`

/** Deliveries of an endpoint, of an origin, of a key, or of the whole account. */
const rowsOf = (sql: SqlClient, walk: Walk): Fragment => {
  const {
    accountId,
    filter: { apiKeyId, endpointId, origin },
    page
  } = walk
  if (origin === null && apiKeyId === null && endpointId === null) return sql`webhook_deliveries d`
  const chosen =
    endpointId !== null
      ? sql`d.endpoint_id = ${uuid(endpointId)}`
      : origin === null
        ? sql`d.api_key_id = ${uuid(apiKeyId)}`
        : sql`d.account_id = ${uuid(accountId)}
        AND ${sql.literal(numberOf(originSql("d.url")))} = hashtextextended(${text(origin)}, 0)`
  // OFFSET hides the other conditions from the choice of the index: a new key of an old account has few deliveries.
  return sql`(
    SELECT * FROM webhook_deliveries d
    WHERE ${chosen} ${inPlace(sql, "d", walk)} AND ${behind(sql, "d.id", page)}
    ORDER BY d.id DESC
    OFFSET 0
  ) AS d`
}

const isOfDead = ({ states }: DeliveryFilter): boolean => states?.length === 1 && states[0] === "dead"

/** There are too many successes to index them by their answer. */
const isByCause = (filter: DeliveryFilter): boolean => {
  const { answer, cause, origin } = filter
  if (cause !== null || (answer !== null && answer !== "2xx")) return true
  return isOfDead(filter) && (answer !== null || origin !== null)
}

const causesMeant = ({ answer, cause }: DeliveryFilter): ReadonlyArray<string> => {
  if (cause !== null) return [cause]
  return answer === null ? DeliveryCause.literals : causesOf(answer)
}

/** A page of each cause, of dead deliveries and of those that are still tried. */
const walkedByCause = (sql: SqlClient, walk: Walk): Fragment => {
  const { accountId, filter, page } = walk
  const pageOfEach = (rows: Fragment): Fragment => sql`
    SELECT d.*
    FROM (SELECT ${uuid(accountId)} AS account_id, cause FROM unnest(${texts(causesMeant(filter))}) AS cause) AS meant
    CROSS JOIN LATERAL (SELECT d.* FROM ${rows} LIMIT ${integer(oneMore(page))}) AS d`
  const isInList = sql.literal(`${causeNumber("x")} = ${causeNumber("meant")} AND x.cause = meant.cause`)
  // A range, in the order of the index by origin. Where nearly all have one cause, an equation would tell PostgreSQL
  // nothing: it would take the key for just as good, and look for another cause among all of its rows.
  const isOfOrigin = sql`
    ${isOwn(sql, walk)} AND x.origin = ${text(filter.origin)} AND x.cause >= meant.cause AND x.cause <= meant.cause`
  const inList = (table: string): Fragment =>
    sql`${listed(sql, walk, table, isInList)} ORDER BY x.delivery_id DESC`
  const deadOfOrigin = sql`
    ${listed(sql, walk, "webhook_dead", isOfOrigin)} ORDER BY x.cause DESC, x.delivery_id DESC`
  const both = [
    ...(isOfDead(filter) ? [] : [pageOfEach(inList("webhook_failing"))]),
    ...(filter.states === null || filter.states.includes("dead")
      ? [pageOfEach(filter.origin === null ? inList("webhook_dead") : deadOfOrigin)]
      : [])
  ]
  return sql`(${sql.join(" UNION ALL ", false)(both)}) AS d ORDER BY d.id DESC`
}

const isOwn = (sql: SqlClient, { accountId }: Walk): Fragment => sql`x.account_id = ${uuid(accountId)}`

/** The matching deliveries `d` whose ids a table `x` lists. */
const listed = (sql: SqlClient, walk: Walk, table: string, isMeant: Fragment): Fragment => sql`
  ${sql.literal(table)} x
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries d WHERE ${own(sql, walk)} AND d.id = x.delivery_id LIMIT 1
  ) AS d
  WHERE x.bucket = ${smallint(walk.bucket)} AND ${isMeant}
    AND ${behind(sql, "x.delivery_id", walk.page)} AND ${wanted(sql, walk.filter)}`
