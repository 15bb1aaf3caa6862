/** Adds what was counted: one statement for each bucket and kind, the rows in the order of their keys. */
import type { AccountId } from "@runhook/core/domain/Ids"
import { rangeCount } from "@runhook/core/domain/usage/Latencies"
import { receiverKey } from "@runhook/core/domain/delivery/Receiver"
import { beginningOf, type UsageSum } from "@runhook/core/domain/usage/UsageCounts"
import type { Counted, KeyUse, LastAttempts, ReceiverSum } from "@runhook/core/ports/UsageStore"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import { SqlClient } from "effect/sql/SqlClient"
import { instants, integers, texts, uuids } from "../sql/Arrays.ts"
import { Buckets } from "../accounts/Buckets.ts"

/** Rows of one statement. */
const rowsMax = 1_000

/** The sum of a column of latencies and what is added to it, range by range; both are empty or whole. */
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

const counterColumns = [
  "requests",
  "created",
  "started",
  "completed",
  "failed",
  "aborted",
  "cancelled",
  "never_started",
  "delivered",
  "failed_attempts",
  "dead"
]

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
    SELECT ${bucket}::smallint, account_id, span, subject, subject_id, at,
      ${sql.literal(counterColumns.join(", "))}, to_start::integer[], to_finish::integer[]
    FROM unnest(
      ${uuids(sums.map(({ accountId }) => accountId))}::uuid[],
      ${texts(sums.map(({ span }) => span))}::text[],
      ${texts(sums.map(({ subject }) => subject.kind))}::text[],
      ${uuids(sums.map(({ subject }) => subject.id))}::uuid[],
      ${instants(sums.map(({ at }) => at))}::timestamptz[],
      ${integers(sums.map(({ counts }) => counts.requests))}::integer[],
      ${integers(sums.map(({ counts }) => counts.created))}::integer[],
      ${integers(sums.map(({ counts }) => counts.started))}::integer[],
      ${integers(sums.map(({ counts }) => counts.completed))}::integer[],
      ${integers(sums.map(({ counts }) => counts.failed))}::integer[],
      ${integers(sums.map(({ counts }) => counts.aborted))}::integer[],
      ${integers(sums.map(({ counts }) => counts.cancelled))}::integer[],
      ${integers(sums.map(({ counts }) => counts.neverStarted))}::integer[],
      ${integers(sums.map(({ counts }) => counts.delivered))}::integer[],
      ${integers(sums.map(({ counts }) => counts.failedAttempts))}::integer[],
      ${integers(sums.map(({ counts }) => counts.dead))}::integer[],
      ${texts(sums.map(({ counts }) => `{${counts.toStart.join(",")}}`))}::text[],
      ${texts(sums.map(({ counts }) => `{${counts.toFinish.join(",")}}`))}::text[]
    ) AS counted (
      account_id, span, subject, subject_id, at, ${sql.literal(counterColumns.join(", "))}, to_start, to_finish
    )
    ON CONFLICT (bucket, account_id, span, subject, subject_id, at) DO UPDATE
      SET ${sql.literal(addedCounters)}, ${sql.literal(added("to_start"))}, ${sql.literal(added("to_finish"))}`

  const addKeyUses = (bucket: number, uses: ReadonlyArray<KeyUse>) => sql`
    INSERT INTO key_uses AS k (bucket, account_id, api_key_id, last_used_at, last_used_from)
    SELECT ${bucket}::smallint, account_id, api_key_id, last_used_at, last_used_from
    FROM unnest(
      ${uuids(uses.map(({ accountId }) => accountId))}::uuid[],
      ${uuids(uses.map(({ apiKeyId }) => apiKeyId))}::uuid[],
      ${instants(uses.map(({ at }) => at))}::timestamptz[],
      ${texts(uses.map(({ from }) => from))}::text[]
    ) AS used (account_id, api_key_id, last_used_at, last_used_from)
    ON CONFLICT (bucket, account_id, api_key_id) DO UPDATE
      SET last_used_at = excluded.last_used_at, last_used_from = excluded.last_used_from
      WHERE k.last_used_at < excluded.last_used_at`

  const addReceiverSums = (bucket: number, sums: ReadonlyArray<ReceiverSum>) => sql`
    INSERT INTO receiver_sums AS r (bucket, account_id, origin, at, delivered, failed)
    SELECT ${bucket}::smallint, account_id, origin, at, delivered, failed
    FROM unnest(
      ${uuids(sums.map(({ accountId }) => accountId))}::uuid[],
      ${texts(sums.map(({ origin }) => origin))}::text[],
      ${instants(sums.map(({ at }) => at))}::timestamptz[],
      ${integers(sums.map(({ delivered }) => delivered))}::integer[],
      ${integers(sums.map(({ failed }) => failed))}::integer[]
    ) AS counted (account_id, origin, at, delivered, failed)
    ON CONFLICT (bucket, account_id, origin, at) DO UPDATE
      SET delivered = r.delivered + excluded.delivered, failed = r.failed + excluded.failed`

  const noteAttempts = (bucket: number, attempts: ReadonlyArray<LastAttempts>) => sql`
    INSERT INTO receiver_attempts AS r (
      bucket, account_id, origin, latest_hour, last_success_at, last_failure_at, last_failure_cause, last_failure_status
    )
    SELECT ${bucket}::smallint, account_id, origin, latest_hour, last_success_at, last_failure_at, cause, status
    FROM unnest(
      ${uuids(attempts.map(({ accountId }) => accountId))}::uuid[],
      ${texts(attempts.map(({ origin }) => origin))}::text[],
      ${instants(attempts.map(latestHour))}::timestamptz[],
      ${instants(attempts.map(({ lastSuccessAt }) => lastSuccessAt))}::timestamptz[],
      ${instants(attempts.map(({ lastFailure }) => lastFailure && lastFailure.at))}::timestamptz[],
      ${texts(attempts.map(({ lastFailure }) => lastFailure && lastFailure.cause))}::text[],
      ${integers(attempts.map(({ lastFailure }) => lastFailure && lastFailure.status))}::integer[]
    ) AS noted (account_id, origin, latest_hour, last_success_at, last_failure_at, cause, status)
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

  /** Writes rows bucket by bucket, in bites, and always in one order: two processes would otherwise wait for each other. */
  const write = Effect.fnUntraced(function* <Row extends { readonly accountId: AccountId }, E>(
    rows: ReadonlyArray<Row>,
    keyOf: (row: Row) => string,
    statement: (bucket: number, rows: ReadonlyArray<Row>) => Effect.Effect<unknown, E>
  ) {
    const placed = yield* Effect.forEach(rows, (row) =>
      Effect.map(buckets.of(row.accountId), (bucket) => ({ bucket, row, key: keyOf(row) }))
    )
    // Buckets come in the order of their numbers, as the keys of any object that are numbers do.
    for (const ofBucket of Object.values(Arr.groupBy(placed, ({ bucket }) => bucket.toString()))) {
      const inOrder = ofBucket.toSorted((one, other) => Order.String(one.key, other.key))
      for (const bite of Arr.chunksOf(inOrder, rowsMax)) {
        yield* statement(
          ofBucket[0].bucket,
          bite.map(({ row }) => row)
        )
      }
    }
  })

  const add = Effect.fnUntraced(function* ({ keyUses, lastAttempts, receivers, sums }: Counted) {
    yield* write(sums, sumKey, addSums)
    yield* write(keyUses, ({ apiKeyId }) => apiKeyId, addKeyUses)
    yield* write(receivers, (sum) => `${receiverKey(sum)} ${sum.at.epochMilliseconds}`, addReceiverSums)
    yield* write(lastAttempts, receiverKey, noteAttempts)
  })

  return (counted: Counted) => sql.withTransaction(add(counted))
})

const sumKey = ({ at, span, subject }: UsageSum): string =>
  `${span} ${subject.kind} ${subject.id} ${at.epochMilliseconds}`

/** The hour in which something was sent to it last. */
const latestHour = ({ lastFailure, lastSuccessAt }: LastAttempts): DateTime.Utc | null => {
  const failedAt = lastFailure?.at ?? null
  const last = lastSuccessAt && failedAt ? DateTime.max(lastSuccessAt, failedAt) : (lastSuccessAt ?? failedAt)
  return last && beginningOf("hour", last)
}
