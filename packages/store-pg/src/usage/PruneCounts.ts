/** Prunes old usage counts: finds them in all buckets without a lock, then runs one statement per bucket. */
import type { UsageBefore } from "@runhook/core/ports/UsageStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { byBucket } from "../accounts/EachBucket.ts"
import { integer, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"

const BucketRow = Schema.Struct({ bucket: Schema.Int, accountId: Schema.String })
const SumRow = Schema.Struct({
  ...BucketRow.fields,
  subject: Schema.String,
  subjectId: Schema.String,
  at: Schema.DateTimeUtc
})
const ReceiverRow = Schema.Struct({ ...BucketRow.fields, origin: Schema.String, at: Schema.DateTimeUtc })

export const makePruneCounts = Effect.gen(function* () {
  const sql = yield* SqlClient

  const sums = Effect.fnUntraced(function* (span: "hour" | "day", before: DateTime.Utc, limit: number) {
    const old = yield* decoded(SumRow)(sql`
      SELECT bucket, account_id AS "accountId", subject, subject_id AS "subjectId", at
      FROM usage_sums
      WHERE span = ${text(span)} AND at < ${timestamptz(before)}
      ORDER BY at
      LIMIT ${integer(limit)}`)
    for (const ofBucket of byBucket(old)) {
      yield* sql`
        DELETE FROM usage_sums u
        USING ${rows("old", ofBucket, { account_id: uuid(({ accountId }) => accountId), subject: text(({ subject }) => subject), subject_id: uuid(({ subjectId }) => subjectId), at: timestamptz(({ at }) => at) })}
        WHERE u.bucket = ${smallint(ofBucket[0].bucket)} AND u.account_id = old.account_id AND u.span = ${text(span)}
          AND u.subject = old.subject AND u.subject_id = old.subject_id AND u.at = old.at`
    }
    return old.length
  })

  /** Of receivers, each by an hour: what has a newer one by now stays. */
  const ofReceivers = (table: "receiver_attempts" | "receiver_sums", hour: "at" | "latest_hour") =>
    Effect.fnUntraced(function* (before: DateTime.Utc, limit: number) {
      const old = yield* decoded(ReceiverRow)(sql`
        SELECT bucket, account_id AS "accountId", origin, ${sql(hour)} AS at
        FROM ${sql(table)}
        WHERE ${sql(hour)} < ${timestamptz(before)}
        ORDER BY ${sql(hour)}
        LIMIT ${integer(limit)}`)
      for (const ofBucket of byBucket(old)) {
        yield* sql`
          DELETE FROM ${sql(table)} r
          USING ${rows("old", ofBucket, { account_id: uuid(({ accountId }) => accountId), origin: text(({ origin }) => origin), at: timestamptz(({ at }) => at) })}
          WHERE r.bucket = ${smallint(ofBucket[0].bucket)} AND r.account_id = old.account_id
            AND r.origin = old.origin AND r.${sql(hour)} = old.at`
      }
      return old.length
    })

  return Effect.fnUntraced(function* ({ days, hours, limit, receivers }: UsageBefore) {
    return (
      (yield* sums("hour", hours, limit)) +
      (yield* sums("day", days, limit)) +
      (yield* ofReceivers("receiver_sums", "at")(receivers, limit)) +
      (yield* ofReceivers("receiver_attempts", "latest_hour")(days, limit))
    )
  })
})
