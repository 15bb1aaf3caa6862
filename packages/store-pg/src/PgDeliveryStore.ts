/** Webhook deliveries in PostgreSQL; `deliveries/` has what the dispatcher does with them. */
import { deliveryLifetime } from "@runhook/core/domain/Delivery"
import type { AccountId, EventId } from "@runhook/core/domain/Ids"
import {
  type DeliveryFilter,
  DeliveryNotFound,
  DeliveryNotSettled,
  DeliveryStore
} from "@runhook/core/ports/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "./Buckets.ts"
import { makeClaiming } from "./deliveries/Claiming.ts"
import { DueClock } from "./deliveries/DueClock.ts"
import { makeEnqueuing } from "./deliveries/Enqueuing.ts"
import { dueAtOnce, entersQueue } from "./deliveries/Entering.ts"
import { makeSettling } from "./deliveries/Settling.ts"
import { instant } from "./Instants.ts"
import { decoded, decodedFirst, settled, settledRepeatable } from "./Outcomes.ts"
import { behind, oneMore, pageOf } from "./Paging.ts"
import {
  attemptColumns,
  AttemptRow,
  deliveryColumns,
  deliveryJoins,
  deliveryOf,
  DeliveryRow
} from "./rows/DeliveryRow.ts"

export const layer = Layer.effect(
  DeliveryStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const clock = yield* DueClock
    const buckets = yield* Buckets
    const { enqueue } = yield* makeEnqueuing
    const { claimDue } = yield* makeClaiming
    const { settle } = yield* makeSettling

    const find = Effect.fnUntraced(function* (accountId: AccountId, id: EventId) {
      const bucket = yield* buckets.of(accountId)
      const row = yield* decodedFirst(DeliveryRow)(sql`
        SELECT ${sql.literal(deliveryColumns)}
        FROM webhook_deliveries d
        ${sql.literal(deliveryJoins)}
        WHERE d.bucket = ${bucket}::smallint AND d.id = ${id}::uuid AND d.account_id = ${accountId}::uuid`)
      return row === undefined ? yield* new DeliveryNotFound({ id }) : deliveryOf(row)
    })

    /** One condition for each part of the filter that is given: a statement per combination, each of a fixed text. */
    const wanted = ({ apiKeyId, executionId, from, states, text, to, type }: DeliveryFilter): Fragment =>
      sql.and([
        ...(states === null ? [] : [sql`d.state = ANY (${states}::text[])`]),
        ...(type === null ? [] : [sql`d.type = ${type}::text`]),
        ...(apiKeyId === null ? [] : [sql`d.api_key_id = ${apiKeyId}::uuid`]),
        ...(executionId === null ? [] : [sql`d.execution_id = ${executionId}::uuid`]),
        ...(text === null ? [] : [mentions(text.toLowerCase())]),
        ...(from === null ? [] : [sql`d.created_at >= ${instant(from)}::timestamptz`]),
        ...(to === null ? [] : [sql`d.created_at <= ${instant(to)}::timestamptz`])
      ])

    const mentions = (text: string): Fragment => sql`(
      d.id::text = ${text}::text OR d.execution_id::text = ${text}::text
      OR position(${text}::text IN d.type) > 0 OR position(${text}::text IN lower(d.url)) > 0
    )`

    const dead = sql`
      webhook_dead x JOIN webhook_deliveries d
        ON d.bucket = x.bucket AND d.account_id = x.account_id AND d.id = x.delivery_id`

    /** Starts a new round of the settled deliveries `d` that a condition holds for, the oldest first. */
    const replayed = (options: {
      readonly bucket: number
      readonly accountId: AccountId
      /** The deliveries `d` of the account, or some of them. */
      readonly among: Fragment
      readonly condition: Fragment
      readonly limit: number
      readonly at: DateTime.Utc
    }) => {
      const { accountId, among, bucket, condition, limit } = options
      const at = instant(options.at)
      return sql`
        WITH chosen AS (
          SELECT d.id
          FROM ${among}
          WHERE d.bucket = ${bucket}::smallint AND d.account_id = ${accountId}::uuid AND ${condition}
          ORDER BY d.id
          LIMIT ${limit}::integer
          FOR UPDATE OF d
        ),
        replayed AS (
          UPDATE webhook_deliveries d
          SET state = 'pending', round = d.round + 1, attempts = 0, next_attempt_at = ${dueAtOnce(sql, { at, clock })},
            expires_at = ${instant(DateTime.addDuration(options.at, deliveryLifetime))}::timestamptz,
            settled_at = NULL
          FROM chosen
          WHERE d.bucket = ${bucket}::smallint AND d.account_id = ${accountId}::uuid AND d.id = chosen.id
          RETURNING d.*
        ),
        risen AS (
          DELETE FROM webhook_dead x
          USING chosen
          WHERE x.bucket = ${bucket}::smallint AND x.account_id = ${accountId}::uuid AND x.delivery_id = chosen.id
        ),
        queued AS (${entersQueue(sql, "replayed")})
        SELECT ${sql.literal(deliveryColumns)}
        FROM replayed d
        ${sql.literal(deliveryJoins)}`
    }

    return DeliveryStore.of({
      enqueue: Effect.fn("PgDeliveryStore.enqueue")(enqueue, settled),

      claimDue: Effect.fn("PgDeliveryStore.claimDue")(claimDue, settled),

      settle: Effect.fn("PgDeliveryStore.settle")(settle, settled),

      get: Effect.fn("PgDeliveryStore.get")(function* (accountId, id) {
        const delivery = yield* find(accountId, id)
        const bucket = yield* buckets.of(accountId)
        const attempts = yield* decoded(AttemptRow)(sql`
          SELECT ${sql.literal(attemptColumns)}
          FROM webhook_attempts
          WHERE bucket = ${bucket}::smallint AND delivery_id = ${id}::uuid
          ORDER BY round, number`)
        return { delivery, attempts }
      }, settledRepeatable),

      list: Effect.fn("PgDeliveryStore.list")(function* (accountId, filter, page) {
        const bucket = yield* buckets.of(accountId)
        const rows = yield* decoded(DeliveryRow)(sql`
          SELECT ${sql.literal(deliveryColumns)}
          FROM webhook_deliveries d
          ${sql.literal(deliveryJoins)}
          WHERE d.bucket = ${bucket}::smallint AND d.account_id = ${accountId}::uuid
            AND ${behind(sql, "d.id", page)} AND ${wanted(filter)}
          ORDER BY d.id DESC
          LIMIT ${oneMore(page)}::integer`)
        return pageOf(rows.map(deliveryOf), page)
      }, settledRepeatable),

      replay: Effect.fn("PgDeliveryStore.replay")(function* ({ accountId, id, at }) {
        const bucket = yield* buckets.of(accountId)
        const condition = sql`d.id = ${id}::uuid AND d.state <> 'pending'`
        const among = sql`webhook_deliveries d`
        const row = yield* decodedFirst(DeliveryRow)(
          replayed({ bucket, accountId, among, condition, limit: 1, at })
        )
        if (row !== undefined) return deliveryOf(row)
        const { state } = yield* find(accountId, id)
        return yield* new DeliveryNotSettled({ id, state })
      }, settled),

      replayDead: Effect.fn("PgDeliveryStore.replayDead")(function* ({ accountId, filter, limit, at }) {
        const bucket = yield* buckets.of(accountId)
        const condition = sql`d.state = 'dead' AND ${wanted(filter)}`
        const rows = yield* replayed({ bucket, accountId, among: dead, condition, limit, at })
        return rows.length
      }, settled)
    })
  })
)
