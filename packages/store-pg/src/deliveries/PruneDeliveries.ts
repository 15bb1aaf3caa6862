/**
 * Prunes old deliveries in bounded batches. Ids carry the time of creation, so the primary key finds old deliveries,
 * account by account, and no index on the time of settling is needed. Deliveries that are kept for longer, such as
 * dead ones, are passed over once per walk.
 */
import { deliveryLifetime } from "@runhook/core/domain/delivery/Delivery"
import { AccountId, EventId, lowestIdAt } from "@runhook/core/domain/Ids"
import type { Retention } from "@runhook/core/domain/Retention"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { byBucket } from "../accounts/EachBucket.ts"
import { type AccountInBucket, firstAccount, makeNextWithOld } from "../accounts/OldRows.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { integer, smallint, text, timestamptz, uuid } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"

const BatchRow = Schema.Struct({
  pruned: Schema.Int,
  /** The last delivery of the batch; null when the account has no more old ones. */
  endedAt: Schema.NullOr(EventId)
})

const ReceiverRow = Schema.Struct({ bucket: Schema.Int, accountId: AccountId, origin: Schema.String })

/** Before every delivery. */
const start = "00000000-0000-0000-0000-000000000000"

/** The position of a walk: it has finished the accounts before, and is somewhere within the current one. */
interface Walk {
  readonly account: string
  readonly at: AccountInBucket | null
  readonly delivery: string
}

const beginning: Walk = { account: firstAccount, at: null, delivery: start }

export const makePruneDeliveries = Effect.gen(function* () {
  const sql = yield* SqlClient
  const timeSqlAt = yield* makeTimeSqlAt
  const nextWithOld = yield* makeNextWithOld
  let walk = beginning

  /** Looks at the next old deliveries of an account, and deletes those past their retention. */
  const pruneBatch = (options: {
    readonly account: AccountInBucket
    readonly after: string
    readonly before: string
    readonly limit: number
    readonly deliveredUntil: DateTime.Utc
    readonly deadUntil: DateTime.Utc
  }) => {
    const { after, before, deadUntil, deliveredUntil, limit } = options
    const { accountId, bucket } = options.account
    return decodedFirst(BatchRow)(sql`
      -- The next deliveries that are old, by rising id.
      WITH old AS MATERIALIZED (
        SELECT d.id
        FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)}
          AND d.id > ${uuid(after)} AND d.id < ${uuid(before)}
        ORDER BY d.id
        LIMIT ${integer(limit)}
      ),
      -- Those past their retention, locked. One that is locked already is left for the next walk.
      locked AS (
        SELECT old.id
        FROM old
        CROSS JOIN LATERAL (
          SELECT FROM webhook_deliveries d
          WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} AND d.id = old.id
            AND d.settled_at <= CASE d.state
              WHEN 'pending' THEN NULL
              WHEN 'dead' THEN ${timestamptz(deadUntil)}
              ELSE ${timestamptz(deliveredUntil)}
            END
          LIMIT 1
          FOR UPDATE SKIP LOCKED
        ) AS d
      ),
      -- The deliveries. By ANY (ARRAY(…)), which forces lookups by key even when the planner has no statistics.
      pruned AS (
        DELETE FROM webhook_deliveries
        WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}
          AND id = ANY (ARRAY(SELECT id FROM locked))
        RETURNING id
      ),
      -- Their attempts,
      attempts AS (
        DELETE FROM webhook_attempts
        WHERE bucket = ${smallint(bucket)} AND delivery_id = ANY (ARRAY(SELECT id FROM locked))
      ),
      -- and their places among the dead ones.
      risen AS (
        DELETE FROM webhook_dead
        WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)}
          AND delivery_id = ANY (ARRAY(SELECT id FROM locked))
      )
      SELECT (SELECT count(*)::integer FROM pruned) AS pruned,
        (SELECT id FROM old ORDER BY id OFFSET ${integer(limit - 1)}) AS "endedAt"`)
  }

  /** Deletes receivers as the core forgets them. */
  const receivers = Effect.fnUntraced(function* (at: DateTime.Utc, limit: number) {
    const { before, now } = timeSqlAt(at)
    const isForgotten = sql`
      coalesce(held_until, '-infinity') <= ${now}
      AND coalesce(CASE WHEN openings > 0 THEN held_until ELSE closed_at END, '-infinity')
        <= ${before(deliveryLifetime)}`
    const seen = yield* decoded(ReceiverRow)(sql`
      SELECT bucket, account_id AS "accountId", origin
      FROM webhook_receivers
      WHERE ${isForgotten}
      LIMIT ${integer(limit)}`)
    for (const ofBucket of byBucket(seen)) {
      const [{ bucket }] = ofBucket
      yield* sql`
        -- Those that are still to be forgotten, locked.
        WITH locked AS (
          SELECT seen.*
          FROM ${rows("seen", ofBucket, { account_id: uuid(({ accountId }) => accountId), origin: text(({ origin }) => origin) })}
          CROSS JOIN LATERAL (
            SELECT FROM webhook_receivers r
            WHERE r.bucket = ${smallint(bucket)} AND r.account_id = seen.account_id AND r.origin = seen.origin
              AND ${isForgotten}
            LIMIT 1
            FOR UPDATE SKIP LOCKED
          ) AS r
        )
        DELETE FROM webhook_receivers r
        USING locked l
        WHERE r.bucket = ${smallint(bucket)} AND r.account_id = l.account_id AND r.origin = l.origin`
    }
  })

  return Effect.fnUntraced(function* (options: {
    readonly retention: Retention
    readonly at: DateTime.Utc
    readonly limit: number
  }) {
    const { at, limit, retention } = options
    const deliveredUntil = DateTime.subtractDuration(at, retention.delivered)
    const deadUntil = DateTime.subtractDuration(at, retention.dead)
    // A delivery that was settled by then was created earlier.
    const before = lowestIdAt(DateTime.add(DateTime.max(deliveredUntil, deadUntil), { milliseconds: 1 }))
    const account =
      walk.at ?? (yield* nextWithOld({ table: "webhook_deliveries", after: walk.account, before }))
    if (account === undefined) {
      walk = beginning
      yield* receivers(at, limit)
      return { pruned: 0, hasMore: false }
    }
    const pruned = yield* pruneBatch({
      account,
      after: walk.delivery,
      before,
      limit,
      deliveredUntil,
      deadUntil
    })
    const endedAt = pruned?.endedAt ?? null
    walk =
      endedAt === null
        ? { ...beginning, account: account.accountId }
        : { account: account.accountId, at: account, delivery: endedAt }
    return { pruned: pruned?.pruned ?? 0, hasMore: true }
  })
})
