/** The concurrency keys of an account: their locks, and their rows. */
import type { AccountId } from "@runhook/core/shared/Ids"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { smallint, text, uuid } from "../../sql/Parameters.ts"

/** When what others have locked is looked at again. */
export const againAfter = Duration.seconds(1)

export interface Key {
  readonly accountId: AccountId
  readonly key: string
}

export const makeSeatKeys = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  /** By the index of keys alone: the bucket of an account may have many others. */
  const ofKey = ({ accountId, key }: Key, bucket: number, table: "q" | "s") => sql`
    ${sql.literal(table)}.account_id = ${uuid(accountId)} AND ${sql.literal(table)}.key = ${text(key)}
      AND ${buckets.within(bucket)(table)}`

  /** Locks a key until the end of the transaction, unless others have it or it was pruned just now; answers whether it did. */
  const tryLock = Effect.fnUntraced(function* (of: Key, bucket: number, locked: "skip" | "wait") {
    yield* sql`
      INSERT INTO concurrency_keys (bucket, account_id, key)
      VALUES (${smallint(bucket)}, ${uuid(of.accountId)}, ${text(of.key)})
      ON CONFLICT (bucket, account_id, key) DO NOTHING`
    const rows = yield* sql`
      SELECT FROM concurrency_keys k
      WHERE k.bucket = ${smallint(bucket)} AND k.account_id = ${uuid(of.accountId)} AND k.key = ${text(of.key)}
      FOR UPDATE ${sql.literal(locked === "skip" ? "SKIP LOCKED" : "")}`
    return rows.length > 0
  })

  return { ofKey, tryLock }
})
