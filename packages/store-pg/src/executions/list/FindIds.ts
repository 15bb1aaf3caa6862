/** Finds executions by the beginning of their id or reference, each among a bounded number. */
import type { AccountId } from "@runhook/core/shared/Ids"
import { foundMax, idsFrom } from "@runhook/core/shared/IdPrefix"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Within } from "../../accounts/Buckets.ts"
import { integer, text, uuid } from "../../sql/Parameters.ts"
import * as ListNumbers from "./ListNumbers.ts"

interface Sought {
  readonly accountId: AccountId
  readonly find: string
  readonly within: Within
}

/** Sorts after everything that begins with the text before it: references are compared byte by byte. */
export const last = "\u{10ffff}"

/** A column `id`. */
export const idsFound = (sql: SqlClient, { accountId, find, within }: Sought): Fragment => {
  const range = idsFrom(find)
  const ofAccount = sql`r.account_id = ${uuid(accountId)} AND ${within("r")}`
  const byReference = sql`(
    SELECT r.id FROM execution_requests r
    WHERE ${ofAccount} AND ${sql.literal(ListNumbers.isReferenceGiven("r"))}
      AND r.reference >= ${text(find)} AND r.reference < ${text(`${find}${last}`)}
    ORDER BY r.reference, r.id
    LIMIT ${integer(foundMax)}
  )`
  if (range === null) return byReference
  return sql`(
    ${byReference} UNION (
      SELECT r.id FROM execution_requests r
      WHERE ${ofAccount} AND r.id >= ${uuid(range.lowest)} AND r.id <= ${uuid(range.highest)}
      ORDER BY r.id DESC
      LIMIT ${integer(foundMax)}
    )
  )`
}
