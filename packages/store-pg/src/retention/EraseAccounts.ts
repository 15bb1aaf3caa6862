/**
 * Erases what removed accounts have left, one account and one bounded bite at a time. Each bite begins with the first
 * kind of rows, so one that never ended leaves nothing undone.
 */
import { DeliveryState } from "@runhook/core/deliveries/Delivery"
import { AccountId, EventId, ExecutionId } from "@runhook/core/shared/Ids"
import { erasedAfter } from "@runhook/core/sweeps/Retention"
import type { SweepRound } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { ownership, type OwnedTable } from "../schema/Ownership.ts"
import { integer, smallint, timestamptz, uuid } from "../sql/Parameters.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"
import { makeDeleteOwned } from "./DeleteOwned.ts"
import type { AccountInBucket } from "./OldRows.ts"
import { ExecutionRemoval } from "./ExecutionRemoval.ts"
import { beginning } from "./Walk.ts"

const AccountRow = Schema.Struct({ bucket: Schema.Int, accountId: AccountId })

const ExecutionRow = Schema.Struct({ id: ExecutionId })

const DeliveryRow = Schema.Struct({ id: EventId })

/** Deletes rows of an account: if fewer than asked, there are no more. */
type Step = (account: AccountInBucket, limit: number) => Effect.Effect<number, SqlError | Schema.SchemaError>

export const makeEraseAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const removal = yield* ExecutionRemoval
  const deleteOwned = yield* makeDeleteOwned
  let passed = beginning

  const inBucket = ({ accountId, bucket }: AccountInBucket) =>
    sql`bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}`

  /** Those of a table that belong to an account; null where rows go with something else, or stay. */
  const owned = ({ of, placed }: OwnedTable, account: AccountInBucket): Fragment | null => {
    const within = placed === "bucket" ? sql`bucket = ${smallint(account.bucket)} AND` : sql``
    switch (of) {
      case "account":
      case "job":
        return sql`${within} account_id = ${uuid(account.accountId)}`
      case "agents":
        return sql`${within} agent_id = ANY (ARRAY(SELECT id FROM agents WHERE ${inBucket(account)}))`
      case "keys":
        return sql`
          ${within} api_key_id = ANY (ARRAY(SELECT id FROM api_keys WHERE account_id = ${uuid(account.accountId)}))`
      default:
        return null
    }
  }

  const eraseRows = Effect.fnUntraced(function* (table: OwnedTable, account: AccountInBucket, limit: number) {
    const which = owned(table, account)
    if (which === null) return 0
    const key = sql.literal(table.key)
    const name = sql.literal(table.name)
    const deleted = yield* sql`
      DELETE FROM ${name}
      WHERE ${which} AND ${key} = ANY (ARRAY(SELECT ${key} FROM ${name} WHERE ${which} LIMIT ${integer(limit)}))
      RETURNING 1`
    return deleted.length
  })

  const eraseExecutions: Step = Effect.fnUntraced(function* ({ accountId, bucket }, limit) {
    const found = yield* decoded(ExecutionRow)(sql`
      SELECT r.id
      FROM execution_requests r
      WHERE r.account_id = ${uuid(accountId)} AND ${buckets.within(bucket)("r")}
      ORDER BY r.id
      LIMIT ${integer(limit)}`)
    const ids = found.map(({ id }) => id)
    const removed = yield* removal.remove({ bucket, accountId, ids, settled: DeliveryState.literals })
    // One with a callback that somebody is at stays for the next bite.
    return removed.length < ids.length ? limit : removed.length
  })

  /** Those that announced nothing of an execution. */
  const eraseDeliveries: Step = Effect.fnUntraced(function* (account, limit) {
    const deleted = yield* decoded(DeliveryRow)(sql`
      DELETE FROM webhook_deliveries
      WHERE ${inBucket(account)}
        AND id = ANY (ARRAY(SELECT id FROM webhook_deliveries WHERE ${inBucket(account)} LIMIT ${integer(limit)}))
      RETURNING id`)
    const accountIds = [account.accountId]
    yield* deleteOwned("delivery", { bucket: account.bucket, accountIds, ids: deleted.map(({ id }) => id) })
    return deleted.length
  })

  /** What is erased with all that goes with it. */
  const wholes: { readonly [table: string]: Step } = {
    execution_requests: eraseExecutions,
    webhook_deliveries: eraseDeliveries
  }

  /** In one transaction. Answers whether nothing is left but files. */
  const bite = Effect.fnUntraced(function* (account: AccountInBucket, { at, limit }: SweepRound) {
    // Others who erase it wait, and so they never lock its rows in another order.
    yield* sql`SELECT FROM accounts WHERE id = ${uuid(account.accountId)} FOR UPDATE`
    let left = limit
    for (const table of ownership) {
      left -= yield* wholes[table.name]?.(account, left) ?? eraseRows(table, account, left)
      if (left <= 0) return { pruned: limit, isOver: false }
    }
    const files = yield* sql`SELECT FROM artifact_leftovers WHERE ${inBucket(account)} LIMIT 1`
    if (files.length === 0) {
      yield* sql`UPDATE accounts SET erased_at = ${timestamptz(at)} WHERE id = ${uuid(account.accountId)}`
    }
    return { pruned: limit - left, isOver: true }
  })

  return Effect.fnUntraced(function* (round: SweepRound) {
    const account = yield* decodedFirst(AccountRow)(sql`
      SELECT bucket, id AS "accountId"
      FROM accounts
      WHERE removed_at <= ${timestamptz(DateTime.subtractDuration(round.at, erasedAfter))} AND erased_at IS NULL
        AND id > ${uuid(passed)}
      ORDER BY id
      LIMIT 1`)
    if (account === undefined) {
      passed = beginning
      return { pruned: 0, hasMore: false }
    }
    const { isOver, pruned } = yield* sql.withTransaction(bite(account, round))
    if (isOver) passed = account.accountId
    return { pruned, hasMore: true }
  })
})
