/** Forgets counts that are old: a look over all buckets without a lock, then one statement per bucket. */
import type { UsageBefore } from "@runhook/core/ports/UsageStore"
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { instants, texts, uuids } from "../sql/Arrays.ts"
import { instant } from "../sql/Instants.ts"
import { decoded } from "../sql/SqlErrors.ts"

const BucketRow = Schema.Struct({ bucket: Schema.Int, accountId: Schema.String })
const SumRow = Schema.Struct({
  ...BucketRow.fields,
  subject: Schema.String,
  subjectId: Schema.String,
  at: Schema.DateTimeUtc
})
const ReceiverRow = Schema.Struct({ ...BucketRow.fields, origin: Schema.String, at: Schema.DateTimeUtc })

const byBucket = <Row extends { readonly bucket: number }>(rows: ReadonlyArray<Row>) =>
  Object.values(Array.groupBy(rows, ({ bucket }) => bucket.toString()))

export const makePruneCounts = Effect.gen(function* () {
  const sql = yield* SqlClient

  const sums = Effect.fnUntraced(function* (span: "hour" | "day", before: DateTime.Utc, limit: number) {
    const old = yield* decoded(SumRow)(sql`
      SELECT bucket, account_id AS "accountId", subject, subject_id AS "subjectId", at
      FROM usage_sums
      WHERE span = ${span}::text AND at < ${instant(before)}::timestamptz
      ORDER BY at
      LIMIT ${limit}::integer`)
    for (const rows of byBucket(old)) {
      yield* sql`
        DELETE FROM usage_sums u
        USING unnest(
          ${uuids(rows.map(({ accountId }) => accountId))}::uuid[],
          ${texts(rows.map(({ subject }) => subject))}::text[],
          ${uuids(rows.map(({ subjectId }) => subjectId))}::uuid[],
          ${instants(rows.map(({ at }) => at))}::timestamptz[]
        ) AS old (account_id, subject, subject_id, at)
        WHERE u.bucket = ${rows[0].bucket}::smallint AND u.account_id = old.account_id AND u.span = ${span}::text
          AND u.subject = old.subject AND u.subject_id = old.subject_id AND u.at = old.at`
    }
    return old.length
  })

  const receiverSums = Effect.fnUntraced(function* (before: DateTime.Utc, limit: number) {
    const old = yield* decoded(ReceiverRow)(sql`
      SELECT bucket, account_id AS "accountId", origin, at
      FROM receiver_sums
      WHERE at < ${instant(before)}::timestamptz
      ORDER BY at
      LIMIT ${limit}::integer`)
    for (const rows of byBucket(old)) {
      yield* sql`
        DELETE FROM receiver_sums r
        USING unnest(
          ${uuids(rows.map(({ accountId }) => accountId))}::uuid[],
          ${texts(rows.map(({ origin }) => origin))}::text[],
          ${instants(rows.map(({ at }) => at))}::timestamptz[]
        ) AS old (account_id, origin, at)
        WHERE r.bucket = ${rows[0].bucket}::smallint AND r.account_id = old.account_id
          AND r.origin = old.origin AND r.at = old.at`
    }
    return old.length
  })

  const receiverAttempts = Effect.fnUntraced(function* (before: DateTime.Utc, limit: number) {
    const old = yield* decoded(ReceiverRow)(sql`
      SELECT bucket, account_id AS "accountId", origin, latest_hour AS at
      FROM receiver_attempts
      WHERE latest_hour < ${instant(before)}::timestamptz
      ORDER BY latest_hour
      LIMIT ${limit}::integer`)
    for (const rows of byBucket(old)) {
      // One that was sent to meanwhile stays.
      yield* sql`
        DELETE FROM receiver_attempts r
        USING unnest(
          ${uuids(rows.map(({ accountId }) => accountId))}::uuid[],
          ${texts(rows.map(({ origin }) => origin))}::text[],
          ${instants(rows.map(({ at }) => at))}::timestamptz[]
        ) AS old (account_id, origin, at)
        WHERE r.bucket = ${rows[0].bucket}::smallint AND r.account_id = old.account_id
          AND r.origin = old.origin AND r.latest_hour = old.at`
    }
    return old.length
  })

  return Effect.fnUntraced(function* ({ days, hours, limit, receivers }: UsageBefore) {
    return (
      (yield* sums("hour", hours, limit)) +
      (yield* sums("day", days, limit)) +
      (yield* receiverSums(receivers, limit)) +
      (yield* receiverAttempts(days, limit))
    )
  })
})
