/**
 * Erases what removed accounts have left, one account and one bounded bite at a time. Each bite begins with the first
 * kind of rows, so one that never ended leaves nothing undone.
 */
import { DeliveryState } from "@runhook/core/domain/delivery/Delivery"
import { AccountId, EventId, ExecutionId } from "@runhook/core/domain/Ids"
import { erasedAfter } from "@runhook/core/domain/Retention"
import type { SweepRound } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { makeRemoveExecutions } from "../executions/RemoveExecutions.ts"
import { integer, smallint, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"
import { Buckets } from "./Buckets.ts"
import { type AccountInBucket, firstAccount } from "./OldRows.ts"

const AccountRow = Schema.Struct({ bucket: Schema.Int, accountId: AccountId })

const ExecutionRow = Schema.Struct({ id: ExecutionId })

const DeliveryRow = Schema.Struct({ id: EventId })

/** Whose rows a table has, and a column of its key that tells them apart. */
type Kind = readonly [table: string, column: string, of: "account" | "agents" | "keys"]

/** What makes others work, before what they work on. */
const queues: ReadonlyArray<Kind> = [
  ["schedules", "id", "account"],
  ["webhook_queue", "delivery_id", "account"],
  ["webhook_failing", "delivery_id", "account"],
  ["endpoint_outbox", "execution_id", "account"],
  ["webhook_endpoints", "id", "account"],
  ["webhook_replays", "id", "account"],
  ["cancel_jobs", "id", "account"],
  ["ready_queue", "execution_id", "agents"],
  ["delayed_queue", "execution_id", "agents"],
  ["concurrency_queue", "execution_id", "account"],
  ["concurrency_seats", "execution_id", "account"],
  ["concurrency_keys", "key", "account"]
]

/** What others are found by comes after them. */
const rest: ReadonlyArray<Kind> = [
  ["webhook_replay_outcomes", "replay_id", "account"],
  ["webhook_dead", "delivery_id", "account"],
  ["webhook_receivers", "origin", "account"],
  ["agent_slots", "agent_id", "agents"],
  ["agents", "id", "account"],
  ["runner_sessions", "id", "account"],
  ["task_tags", "task_id", "account"],
  ["task_versions", "id", "account"],
  ["tasks", "id", "account"],
  ["artifact_usage", "account_id", "account"],
  ["live_releases", "execution_id", "account"],
  ["live_counts", "api_key_id", "account"],
  ["key_uses", "api_key_id", "account"],
  ["receiver_sums", "origin", "account"],
  ["receiver_attempts", "origin", "account"],
  ["idempotency_keys", "key", "keys"]
]

/** Tables without buckets. */
const copies: ReadonlyArray<Kind> = [
  ["alerts", "subject", "account"],
  ["alert_targets", "id", "account"],
  ["signing_secrets", "id", "keys"],
  ["api_keys", "id", "account"],
  ["runner_keys", "id", "account"],
  ["console_links", "id", "account"],
  ["console_sessions", "id", "account"]
]

/** Deletes rows of an account: if fewer than asked, there are no more. */
type Step = (account: AccountInBucket, limit: number) => Effect.Effect<number, SqlError | Schema.SchemaError>

export const makeEraseAccounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const removeExecutions = yield* makeRemoveExecutions
  let passed = firstAccount

  const inBucket = ({ accountId, bucket }: AccountInBucket) =>
    sql`bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}`

  const owned = (account: AccountInBucket, of: Kind[2]): Fragment => {
    switch (of) {
      case "account":
        return sql`account_id = ${uuid(account.accountId)}`
      case "agents":
        return sql`agent_id = ANY (ARRAY(SELECT id FROM agents WHERE ${inBucket(account)}))`
      case "keys":
        return sql`api_key_id = ANY (ARRAY(SELECT id FROM api_keys WHERE account_id = ${uuid(account.accountId)}))`
    }
  }

  const eraseKind =
    ([table, column, of]: Kind, place: (account: AccountInBucket) => Fragment): Step =>
    (account, limit) => {
      const which = sql`${place(account)} AND ${owned(account, of)}`
      const deleted = sql`
        DELETE FROM ${sql(table)}
        WHERE ${which} AND ${sql(column)} = ANY (ARRAY(
          SELECT ${sql(column)} FROM ${sql(table)} WHERE ${which} LIMIT ${integer(limit)}
        ))
        RETURNING ${sql(column)}`
      return Effect.map(deleted, ({ length }) => length)
    }

  const eraseExecutions: Step = Effect.fnUntraced(function* ({ accountId, bucket }, limit) {
    const found = yield* decoded(ExecutionRow)(sql`
      SELECT r.id
      FROM execution_requests r
      WHERE r.account_id = ${uuid(accountId)} AND ${buckets.within(bucket)("r")}
      ORDER BY r.id
      LIMIT ${integer(limit)}`)
    const ids = found.map(({ id }) => id)
    const removed = yield* removeExecutions({ bucket, accountId, ids, settled: DeliveryState.literals })
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
    const ids = uuids(deleted.map(({ id }) => id))
    yield* sql`
      DELETE FROM webhook_attempts WHERE bucket = ${smallint(account.bucket)} AND delivery_id = ANY (${ids})`
    return deleted.length
  })

  const inBuckets = (kind: Kind) => eraseKind(kind, ({ bucket }) => sql`bucket = ${smallint(bucket)}`)

  const steps: ReadonlyArray<Step> = [
    ...queues.map(inBuckets),
    eraseExecutions,
    eraseDeliveries,
    ...rest.map(inBuckets),
    ...copies.map((kind) => eraseKind(kind, () => sql`TRUE`))
  ]

  /** In one transaction. Answers whether nothing is left but files. */
  const bite = Effect.fnUntraced(function* (account: AccountInBucket, { at, limit }: SweepRound) {
    // Others who erase it wait, and so they never lock its rows in another order.
    yield* sql`SELECT FROM accounts WHERE id = ${uuid(account.accountId)} FOR UPDATE`
    let left = limit
    for (const step of steps) {
      left -= yield* step(account, left)
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
      passed = firstAccount
      return { pruned: 0, hasMore: false }
    }
    const { isOver, pruned } = yield* sql.withTransaction(bite(account, round))
    if (isOver) passed = account.accountId
    return { pruned, hasMore: true }
  })
})
