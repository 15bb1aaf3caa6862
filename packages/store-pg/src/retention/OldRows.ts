/** Finds, account by account, what is old enough to be pruned: by ids, which carry the time of creation. */
import { AccountId } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { makeLookByBucket } from "../database/Nodes.ts"
import { integer, smallint, uuid } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"

const AccountRow = Schema.Struct({ bucket: Schema.Int, accountId: AccountId })

export type AccountInBucket = typeof AccountRow.Type

/** Accounts of one look. */
const accountsAtOnce = 1_000

interface Asked {
  readonly table: "audit_log" | "webhook_deliveries"
  /** The account of the last look. */
  readonly after: string
  readonly before: string
}

/** The next account that has a row before an id in a table with the key `bucket, account_id, id`. */
export const makeNextWithOld = Effect.gen(function* () {
  const sql = yield* SqlClient
  const lookByBucket = yield* makeLookByBucket

  /** Those of some accounts: of each statement the first. */
  const firsts = ({ before, table }: Asked, accounts: ReadonlyArray<AccountInBucket>) =>
    lookByBucket(
      accounts,
      (within, some) =>
        decoded(AccountRow)(sql`
        SELECT a.bucket, a.id AS "accountId"
        FROM ${rows("a", some, { bucket: smallint(({ bucket }) => bucket), id: uuid(({ accountId }) => accountId) })}
        CROSS JOIN LATERAL (
          SELECT o.id FROM ${sql(table)} o
          WHERE o.bucket = a.bucket AND ${within("o")} AND o.account_id = a.id AND o.id < ${uuid(before)}
          LIMIT 1
        ) AS old
        ORDER BY a.id
        LIMIT 1`),
      () => []
    )

  return Effect.fnUntraced(function* (asked: Asked) {
    for (let { after } = asked; ;) {
      const accounts = yield* decoded(AccountRow)(sql`
        SELECT a.bucket, a.id AS "accountId" FROM accounts a
        WHERE a.id > ${uuid(after)}
        ORDER BY a.id
        LIMIT ${integer(accountsAtOnce)}`)
      const last = accounts.at(-1)
      if (last === undefined) return undefined
      const [first] = Array.sort(yield* firsts(asked, accounts), byId)
      if (first !== undefined) return first
      after = last.accountId
    }
  })
})

const byId = Order.mapInput(Order.String, ({ accountId }: AccountInBucket) => accountId)
