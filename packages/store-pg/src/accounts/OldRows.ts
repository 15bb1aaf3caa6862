/** Finds, account by account, what is old enough to be pruned: by ids, which carry the time of creation. */
import { AccountId } from "@runhook/core/domain/Ids"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { IsDistributed } from "../database/Nodes.ts"
import { integer, smallint, uuid, uuids } from "../sql/Parameters.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"
import { forEachBucket } from "./EachBucket.ts"

const AccountRow = Schema.Struct({ bucket: Schema.Int, accountId: AccountId })

export type AccountInBucket = typeof AccountRow.Type

/** Before every account. */
export const firstAccount = "00000000-0000-0000-0000-000000000000"

/** Accounts of one look over several nodes. */
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
  const isDistributed = yield* IsDistributed

  const here = ({ after, before, table }: Asked) =>
    decodedFirst(AccountRow)(sql`
      SELECT a.bucket, a.id AS "accountId"
      FROM accounts a
      CROSS JOIN LATERAL (
        SELECT FROM ${sql(table)} o
        WHERE o.bucket = a.bucket AND o.account_id = a.id AND o.id < ${uuid(before)}
        LIMIT 1
      ) AS old
      WHERE a.id > ${uuid(after)}
      ORDER BY a.id
      LIMIT 1`)

  /** Of some accounts, those with old rows, by a statement for each bucket: no node has all. */
  const onNodes = Effect.fnUntraced(function* ({ before, table, ...asked }: Asked) {
    for (let after = asked.after; ;) {
      const accounts = yield* decoded(AccountRow)(sql`
        SELECT a.bucket, a.id AS "accountId" FROM accounts a
        WHERE a.id > ${uuid(after)}
        ORDER BY a.id
        LIMIT ${integer(accountsAtOnce)}`)
      const found = yield* forEachBucket(accounts, (bucket, some) =>
        decoded(AccountRow)(sql`
          SELECT ${smallint(bucket)} AS bucket, asked.id AS "accountId"
          FROM unnest(${uuids(some.map(({ accountId }) => accountId))}) AS asked (id)
          CROSS JOIN LATERAL (
            SELECT o.id FROM ${sql(table)} o
            WHERE o.bucket = ${smallint(bucket)} AND o.account_id = asked.id AND o.id < ${uuid(before)}
            LIMIT 1
          ) AS old
          ORDER BY asked.id
          LIMIT 1`)
      )
      const last = accounts.at(-1)
      const first = found.flat().toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))[0]
      if (first !== undefined || last === undefined) return first
      after = last.accountId
    }
  })

  return isDistributed ? onNodes : here
})
