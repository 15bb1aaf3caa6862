/**
 * The bucket of each account: assigned when the account is created, never changed, and the first column of every key
 * of its rows.
 */
import type { AccountId } from "@runhook/core/domain/Ids"
import { makeLookupCache } from "@runhook/core/runtime/LookupCache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { uuid } from "../sql/Parameters.ts"
import { decodedFirst, idempotentOrDefect } from "../sql/SqlErrors.ts"

/** A bucket without rows, so lookups for an unknown account find nothing. */
const nowhere = -1

const keptMax = 100_000

const BucketRow = Schema.Struct({ bucket: Schema.Int })

export class Buckets extends Context.Service<
  Buckets,
  {
    /** The bucket of an account; for an unknown account, one without rows. */
    of(accountId: AccountId): Effect.Effect<number>
  }
>()("@runhook/store-pg/accounts/Buckets") {
  static readonly layer = Layer.effect(
    Buckets,
    Effect.gen(function* () {
      const sql = yield* SqlClient

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

      return Buckets.of({
        of: (accountId) => Effect.map(found.get(accountId), (row) => row?.bucket ?? nowhere)
      })
    })
  )
}

/** How many buckets there are: enough to spread accounts over the nodes of a distributed PostgreSQL. */
export const bucketCount = 256

/** The bucket of a new account: the last, random byte of its id. */
export const bucketOfNew = (id: AccountId): number => Number.parseInt(id.slice(-2), 16) % bucketCount
