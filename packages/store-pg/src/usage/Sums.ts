/** Reads usage counts. */
import { AccountId, type ApiKeyId, ApiKeyId as KeyId } from "@runhook/core/shared/Ids"
import { UsageSpan, UsageSubject, type UsageSum, type UsageOf } from "@runhook/core/usage/UsageCounts"
import type { KeyUsage } from "@runhook/core/usage/UsageStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { integer, smallint, text, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"

const SumRow = Schema.Struct({
  accountId: AccountId,
  subject: Schema.Struct({ kind: Schema.String, id: Schema.String }).pipe(Schema.decodeTo(UsageSubject)),
  span: UsageSpan,
  at: Schema.DateTimeUtc,
  requests: Schema.Int,
  created: Schema.Int,
  started: Schema.Int,
  completed: Schema.Int,
  failed: Schema.Int,
  aborted: Schema.Int,
  cancelled: Schema.Int,
  neverStarted: Schema.Int,
  delivered: Schema.Int,
  failedAttempts: Schema.Int,
  dead: Schema.Int,
  toStart: Schema.Array(Schema.Int),
  toFinish: Schema.Array(Schema.Int)
})

const KeyRow = Schema.Struct({
  id: KeyId,
  lastUsedAt: Schema.DateTimeUtc,
  lastUsedFrom: Schema.NullOr(Schema.String),
  requests: Schema.Int
})

export const makeSums = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  const sums = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly of: UsageOf
    readonly span: UsageSpan
    readonly from: DateTime.Utc
    readonly to: DateTime.Utc
    readonly limit: number
  }) {
    const { accountId, from, limit, of, span, to } = options
    const bucket = yield* buckets.of(accountId)
    const ofSubject = of.id === null ? sql`` : sql`AND subject_id = ${uuid(of.id)}`
    const rows = yield* decoded(SumRow)(sql`
      SELECT account_id AS "accountId", json_build_object('kind', subject, 'id', subject_id) AS subject, span, at,
        requests, created, started, completed, failed, aborted, cancelled, never_started AS "neverStarted",
        delivered,
        failed_attempts AS "failedAttempts", dead, to_start AS "toStart", to_finish AS "toFinish"
      FROM usage_sums
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND span = ${text(span)}
        AND subject = ${text(of.kind)} ${ofSubject}
        AND at >= ${timestamptz(from)} AND at < ${timestamptz(to)}
      ORDER BY at DESC, subject_id
      LIMIT ${integer(limit)}`)
    return rows.map(sumOf)
  })

  const keyUsage = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly ids: ReadonlyArray<ApiKeyId>
    readonly since: DateTime.Utc
  }) {
    const { accountId, ids, since } = options
    const bucket = yield* buckets.of(accountId)
    const rows = yield* decoded(KeyRow)(sql`
      SELECT asked.id, used.last_used_at AS "lastUsedAt", used.last_used_from AS "lastUsedFrom", sums.requests
      FROM unnest(${uuids(ids)}) AS asked (id)
      CROSS JOIN LATERAL (
        SELECT last_used_at, last_used_from
        FROM key_uses k
        WHERE k.bucket = ${smallint(bucket)} AND k.account_id = ${uuid(accountId)} AND k.api_key_id = asked.id
        LIMIT 1
      ) AS used
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(u.requests), 0)::integer AS requests
        FROM usage_sums u
        WHERE u.bucket = ${smallint(bucket)} AND u.account_id = ${uuid(accountId)} AND u.span = 'hour'
          AND u.subject = 'key' AND u.subject_id = asked.id AND u.at >= ${timestamptz(since)}
      ) AS sums`)
    return new Map(rows.map(({ id, ...usage }): readonly [ApiKeyId, KeyUsage] => [id, usage]))
  })

  return { keyUsage, sums }
})

const sumOf = ({ accountId, at, span, subject, ...counts }: typeof SumRow.Type): UsageSum => ({
  accountId,
  at,
  span,
  subject,
  counts
})
