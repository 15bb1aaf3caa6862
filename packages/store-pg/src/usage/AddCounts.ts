/** Adds usage counts: one statement for each bucket and kind, with rows in the order of their keys. */
import { receiverKey } from "@runhook/core/deliveries/claim/Receiver"
import type { AccountId } from "@runhook/core/shared/Ids"
import { rangeCount } from "@runhook/core/usage/Latencies"
import { beginningOf, type UsageSum } from "@runhook/core/usage/UsageCounts"
import type { UsageIncrement, KeyUse, LastAttempts, ReceiverSum } from "@runhook/core/usage/UsageIncrement"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets, IsDistributed } from "../accounts/Buckets.ts"
import { byBucket, forEachBucket } from "../accounts/EachBucket.ts"
import { integer, integers, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { type Columns, rows } from "../sql/Rows.ts"
import { inOneTransaction } from "../sql/SqlErrors.ts"

/** Rows of one statement. */
const rowsMax = 1_000

/** The sum of two columns of latencies, range by range; each is empty or has all ranges. */
const added = (column: string): string => {
  const ranges = Array.from(
    { length: rangeCount },
    (_, range) => `u.${column}[${range + 1}] + excluded.${column}[${range + 1}]`
  )
  return `${column} = CASE
    WHEN excluded.${column} = '{}' THEN u.${column}
    WHEN u.${column} = '{}' THEN excluded.${column}
    ELSE ARRAY[${ranges.join(", ")}]
  END`
}

/** The counters that are added up. */
const counters: Columns<UsageSum> = {
  requests: integer(({ counts }) => counts.requests),
  created: integer(({ counts }) => counts.created),
  started: integer(({ counts }) => counts.started),
  completed: integer(({ counts }) => counts.completed),
  failed: integer(({ counts }) => counts.failed),
  aborted: integer(({ counts }) => counts.aborted),
  cancelled: integer(({ counts }) => counts.cancelled),
  never_started: integer(({ counts }) => counts.neverStarted),
  delivered: integer(({ counts }) => counts.delivered),
  failed_attempts: integer(({ counts }) => counts.failedAttempts),
  dead: integer(({ counts }) => counts.dead)
}

const counterColumns = Object.keys(counters)

const sumColumns: Columns<UsageSum> = {
  account_id: uuid(({ accountId }) => accountId),
  span: text(({ span }) => span),
  subject: text(({ subject }) => subject.kind),
  subject_id: uuid(({ subject }) => subject.id),
  at: timestamptz(({ at }) => at),
  ...counters,
  to_start: integers(({ counts }) => counts.toStart),
  to_finish: integers(({ counts }) => counts.toFinish)
}

const addedCounters = counterColumns
  .map((column) => `${column} = u.${column} + excluded.${column}`)
  .join(", ")

export const makeAddCounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  const addSums = (bucket: number, sums: ReadonlyArray<UsageSum>) => sql`
    INSERT INTO usage_sums AS u (
      bucket, account_id, span, subject, subject_id, at, ${sql.literal(counterColumns.join(", "))}, to_start, to_finish
    )
    SELECT ${smallint(bucket)}, account_id, span, subject, subject_id, at,
      ${sql.literal(counterColumns.join(", "))}, to_start, to_finish
    FROM ${rows("counted", sums, sumColumns)}
    ON CONFLICT (bucket, account_id, span, subject, subject_id, at) DO UPDATE
      SET ${sql.literal(addedCounters)}, ${sql.literal(added("to_start"))}, ${sql.literal(added("to_finish"))}`

  const addKeyUses = (bucket: number, uses: ReadonlyArray<KeyUse>) => sql`
    INSERT INTO key_uses AS k (bucket, account_id, api_key_id, last_used_at, last_used_from)
    SELECT ${smallint(bucket)}, account_id, api_key_id, last_used_at, last_used_from
    FROM ${rows("used", uses, { account_id: uuid(({ accountId }) => accountId), api_key_id: uuid(({ apiKeyId }) => apiKeyId), last_used_at: timestamptz(({ at }) => at), last_used_from: text(({ from }) => from) })}
    ON CONFLICT (bucket, account_id, api_key_id) DO UPDATE
      SET last_used_at = excluded.last_used_at, last_used_from = excluded.last_used_from
      WHERE k.last_used_at < excluded.last_used_at`

  const addReceiverSums = (bucket: number, sums: ReadonlyArray<ReceiverSum>) => sql`
    INSERT INTO receiver_sums AS r (bucket, account_id, origin, at, delivered, failed)
    SELECT ${smallint(bucket)}, account_id, origin, at, delivered, failed
    FROM ${rows("counted", sums, { account_id: uuid(({ accountId }) => accountId), origin: text(({ origin }) => origin), at: timestamptz(({ at }) => at), delivered: integer(({ delivered }) => delivered), failed: integer(({ failed }) => failed) })}
    ON CONFLICT (bucket, account_id, origin, at) DO UPDATE
      SET delivered = r.delivered + excluded.delivered, failed = r.failed + excluded.failed`

  const noteAttempts = (bucket: number, attempts: ReadonlyArray<LastAttempts>) => sql`
    INSERT INTO receiver_attempts AS r (
      bucket, account_id, origin, latest_hour, last_success_at, last_failure_at, last_failure_cause, last_failure_status
    )
    SELECT ${smallint(bucket)}, account_id, origin, latest_hour, last_success_at, last_failure_at, cause, status
    FROM ${rows("noted", attempts, { account_id: uuid(({ accountId }) => accountId), origin: text(({ origin }) => origin), latest_hour: timestamptz(latestHour), last_success_at: timestamptz(({ lastSuccessAt }) => lastSuccessAt), last_failure_at: timestamptz(({ lastFailure }) => lastFailure && lastFailure.at), cause: text(({ lastFailure }) => lastFailure && lastFailure.cause), status: integer(({ lastFailure }) => lastFailure && lastFailure.status) })}
    ON CONFLICT (bucket, account_id, origin) DO UPDATE
      SET latest_hour = greatest(r.latest_hour, excluded.latest_hour),
        last_success_at = greatest(r.last_success_at, excluded.last_success_at),
        last_failure_at = greatest(r.last_failure_at, excluded.last_failure_at),
        last_failure_cause = CASE
          WHEN excluded.last_failure_at IS NULL OR excluded.last_failure_at < r.last_failure_at
            THEN r.last_failure_cause
          ELSE excluded.last_failure_cause
        END,
        last_failure_status = CASE
          WHEN excluded.last_failure_at IS NULL OR excluded.last_failure_at < r.last_failure_at
            THEN r.last_failure_status
          ELSE excluded.last_failure_status
        END`

  /**
   * Writes rows bucket by bucket, in bounded statements, and always in one order, so that two processes do not wait
   * for each other.
   */
  const write = Effect.fnUntraced(function* <Row extends OfAccount, E>(
    all: ReadonlyArray<Row>,
    keyOf: (row: Row) => string,
    statement: (bucket: number, some: ReadonlyArray<Row>) => Effect.Effect<unknown, E>
  ) {
    const placed = yield* Effect.forEach(all, (row) =>
      Effect.map(buckets.of(row.accountId), (bucket) => ({ bucket, row, key: keyOf(row) }))
    )
    for (const ofBucket of byBucket(placed)) {
      const inOrder = ofBucket.toSorted((one, other) => Order.String(one.key, other.key))
      for (const bite of Arr.chunksOf(inOrder, rowsMax)) {
        yield* statement(
          ofBucket[0].bucket,
          bite.map(({ row }) => row)
        )
      }
    }
  })

  const add = Effect.fnUntraced(function* ({ keyUses, lastAttempts, receivers, sums }: UsageIncrement) {
    yield* write(sums, sumKey, addSums)
    yield* write(keyUses, ({ apiKeyId }) => apiKeyId, addKeyUses)
    yield* write(receivers, (sum) => `${receiverKey(sum)} ${sum.at.epochMilliseconds}`, addReceiverSums)
    yield* write(lastAttempts, receiverKey, noteAttempts)
  })

  const addAll = (counted: UsageIncrement) =>
    Effect.as(inOneTransaction(sql)(add(counted)), new Set<AccountId>())
  if (!(yield* IsDistributed)) return addAll

  /** Each bucket in a transaction of its own: the node of another may be away. */
  return Effect.fnUntraced(function* (counted: UsageIncrement) {
    const accounts = new Set(Object.values(counted).flatMap((some) => some.map(accountOf)))
    const placed = yield* buckets.placed(Array.from(accounts, (accountId) => ({ accountId })))
    const away = yield* forEachBucket(placed, (_, some) => {
      const ofBucket = new Set(some.map(accountOf))
      const isOfBucket = (row: OfAccount) => ofBucket.has(row.accountId)
      return addAll({
        sums: counted.sums.filter(isOfBucket),
        keyUses: counted.keyUses.filter(isOfBucket),
        receivers: counted.receivers.filter(isOfBucket),
        lastAttempts: counted.lastAttempts.filter(isOfBucket)
      }).pipe(
        Effect.catchDefect((defect) =>
          isStoreUnavailable(defect) ? Effect.succeed(ofBucket) : Effect.die(defect)
        )
      )
    })
    return new Set(away.flatMap((some) => [...some]))
  })
})

interface OfAccount {
  readonly accountId: AccountId
}

const accountOf = ({ accountId }: OfAccount): AccountId => accountId

const sumKey = ({ at, span, subject }: UsageSum): string =>
  `${span} ${subject.kind} ${subject.id} ${at.epochMilliseconds}`

/** The hour of the latest attempt. */
const latestHour = ({ lastFailure, lastSuccessAt }: LastAttempts): DateTime.Utc | null => {
  const failedAt = lastFailure?.at ?? null
  const last = lastSuccessAt && failedAt ? DateTime.max(lastSuccessAt, failedAt) : (lastSuccessAt ?? failedAt)
  return last && beginningOf("hour", last)
}
