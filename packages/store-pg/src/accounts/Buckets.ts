/**
 * The bucket of each account: assigned when the account is created, never changed, and the first column of every key
 * of its rows.
 */
import type { AccountId } from "@runhook/core/shared/Ids"
import { makeLookupCache } from "@runhook/core/engine/LookupCache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { smallint, uuid } from "../sql/Parameters.ts"
import { decodedFirst, idempotentOrDefect } from "../sql/SqlErrors.ts"

/**
 * Whether rows are distributed by bucket over the nodes of a database. If so, a statement must name the bucket of
 * each table, or the database refuses it.
 */
export const IsDistributed = Context.Reference<boolean>("@runhook/store-pg/accounts/IsDistributed", {
  defaultValue: () => false
})

/** The condition that keeps a table to the buckets of a query. */
export type Within = (table: string) => Fragment

/** A bucket without rows, so lookups for an unknown account find nothing. */
const nowhere = -1

const keptMax = 100_000

const BucketRow = Schema.Struct({ bucket: Schema.Int })

export class Buckets extends Context.Service<
  Buckets,
  {
    /** The bucket of an account; for an unknown account, one without rows. */
    of(accountId: AccountId): Effect.Effect<number>

    /** Items of several accounts, with their buckets. */
    placed<Item extends { readonly accountId: AccountId }>(
      items: ReadonlyArray<Item>
    ): Effect.Effect<ReadonlyArray<Item & { readonly bucket: number }>>

    /**
     * Names a bucket for tables whose rows an index finds without it, where it must be named. Elsewhere that would
     * offer PostgreSQL a second index, which it prefers while it knows little of the table.
     */
    within(bucket: number): Within
  }
>()("@runhook/store-pg/accounts/Buckets") {
  static readonly layer = Layer.effect(
    Buckets,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const isDistributed = yield* IsDistributed

      const found = makeLookupCache({
        lookup: (accountId: AccountId) =>
          idempotentOrDefect(
            decodedFirst(BucketRow)(sql`SELECT bucket FROM accounts WHERE id = ${uuid(accountId)}`)
          ),
        // An unknown account may be created later.
        isKept: (row) => row !== undefined,
        keptFor: Duration.infinity,
        keptMax
      })

      const bucketOf = (accountId: AccountId) =>
        Effect.map(found.get(accountId), (row) => row?.bucket ?? nowhere)

      return Buckets.of({
        of: bucketOf,
        placed: (items) =>
          Effect.forEach(items, (item) =>
            Effect.map(bucketOf(item.accountId), (bucket) => ({ ...item, bucket }))
          ),
        within: (bucket) => (table) =>
          isDistributed ? sql`${sql.literal(table)}.bucket = ${smallint(bucket)}` : sql`TRUE`
      })
    })
  )
}

/** How many buckets there are: enough to spread accounts over the nodes of a distributed PostgreSQL. */
export const bucketCount = 256

/** The bucket of a new account: the last, random byte of its id. */
export const bucketOfNew = (id: AccountId): number => Number.parseInt(id.slice(-2), 16) % bucketCount
