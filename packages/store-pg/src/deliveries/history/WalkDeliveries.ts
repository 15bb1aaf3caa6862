/** Chooses the index that a list of deliveries walks: the one that covers most of the filter. */
import { causesOf, DeliveryCause } from "@runhook/core/deliveries/steps/AttemptCause"
import type { DeliveryState } from "@runhook/core/deliveries/Delivery"
import type { AccountId } from "@runhook/core/shared/Ids"
import { foundMax, idsFrom } from "@runhook/core/shared/IdPrefix"
import type { PageRequest } from "@runhook/core/shared/Page"
import type { DeliveryFilter } from "@runhook/core/deliveries/DeliveryStore"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Range } from "../../sql/Looks.ts"
import { behind, oneMore } from "../../sql/Paging.ts"
import { integer, smallint, text, texts, uuid } from "../../sql/Parameters.ts"
import type { Within } from "../../accounts/Buckets.ts"
import { idsFound } from "../../executions/list/FindIds.ts"
import { numberOf, originSql } from "../queue/Origins.ts"
import { causeNumber } from "./CauseNumber.ts"
import { madeWithin, wanted } from "./DeliveryFilters.ts"

interface Walk {
  readonly bucket: number
  readonly within: Within
  readonly accountId: AccountId
  readonly filter: DeliveryFilter
  readonly page: PageRequest
  /** Whether few enough of the account wait to be sorted; asked only for what waits. */
  readonly isQueueShort: boolean
}

/** Matching deliveries `d`, newest first. */
interface Walked {
  /** From `FROM` to `ORDER BY`. */
  readonly found: Fragment
  /** Among which they are, where an index has more than what matches. */
  readonly range?: Range
}

export const walked = (sql: SqlClient, walk: Walk, lookedAt: (range: Range) => Fragment): Walked => {
  const { filter } = walk
  if (filter.find !== null && filter.find !== undefined)
    return { found: walkedByBeginning(sql, walk, filter.find) }
  if (filter.executionId === null) {
    if (isByCause(filter)) return { found: walkedByCause(sql, walk) }
    const table = isIn(filter, "dead") ? "webhook_dead" : walk.isQueueShort ? "webhook_queue" : undefined
    if (table !== undefined) {
      const range = inTable(sql, walk, table)
      return {
        range,
        found: sql`${lookedAt(range)} ${deliveryOf(sql, walk)} WHERE ${wanted(sql, filter)} ORDER BY x.delivery_id DESC`
      }
    }
  }
  const range: Range = {
    rows: sql`webhook_deliveries d WHERE ${chosen(sql, walk)} AND ${isOnPage(sql, "d.id", walk)}`,
    name: "d",
    id: "d.id"
  }
  return {
    range,
    found: sql`${lookedAt(range)} WHERE ${own(sql, walk)} AND ${wanted(sql, filter)} ORDER BY d.id DESC`
  }
}

const inTable = (sql: SqlClient, walk: Walk, table: "webhook_dead" | "webhook_queue"): Range => ({
  rows: sql`
    ${sql.literal(table)} x
    WHERE x.bucket = ${smallint(walk.bucket)} AND ${isOwn(sql, walk)} AND ${isOnPage(sql, "x.delivery_id", walk)}`,
  name: "x",
  id: "x.delivery_id"
})

/** Ids are made with their rows, so the walk of an index begins and ends with the page. */
const isOnPage = (sql: SqlClient, id: string, { filter, page }: Walk): Fragment =>
  sql`${behind(sql, id, page)} AND ${madeWithin(sql, id, filter)}`

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

/** Deliveries of an execution, of an endpoint, of an origin, of a key, or of the whole account. */
const chosen = (sql: SqlClient, walk: Walk): Fragment => {
  const { apiKeyId, endpointId, executionId, origin } = walk.filter
  const inItsPlace = sql`AND ${walk.within("d")}`
  if (executionId !== null)
    return sql`d.bucket = ${smallint(walk.bucket)} AND d.execution_id = ${uuid(executionId)}`
  if (endpointId !== null) return sql`d.endpoint_id = ${uuid(endpointId)} ${inItsPlace}`
  if (origin !== null)
    return sql`
      d.account_id = ${uuid(walk.accountId)}
      AND ${sql.literal(numberOf(originSql("d.url")))} = hashtextextended(${text(origin)}, 0) ${inItsPlace}`
  return apiKeyId === null ? own(sql, walk) : sql`d.api_key_id = ${uuid(apiKeyId)} ${inItsPlace}`
}

/** Whether all that is asked for is in one state. */
export const isIn = ({ states }: DeliveryFilter, state: DeliveryState): boolean =>
  states?.length === 1 && states[0] === state

/** There are too many successes to index them by their answer. */
const isByCause = (filter: DeliveryFilter): boolean => {
  const { answer, cause, origin } = filter
  if (cause !== null || (answer !== null && answer !== "2xx")) return true
  return isIn(filter, "dead") && (answer !== null || origin !== null)
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
    ...(isIn(filter, "dead") ? [] : [pageOfEach(inList("webhook_failing"))]),
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
  ${deliveryOf(sql, walk)}
  WHERE x.bucket = ${smallint(walk.bucket)} AND ${isMeant}
    AND ${isOnPage(sql, "x.delivery_id", walk)} AND ${wanted(sql, walk.filter)}`

/** Joins the delivery `d` of each row `x`. */
const deliveryOf = (sql: SqlClient, walk: Walk): Fragment => sql`
  CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries d WHERE ${own(sql, walk)} AND d.id = x.delivery_id LIMIT 1
  ) AS d`
