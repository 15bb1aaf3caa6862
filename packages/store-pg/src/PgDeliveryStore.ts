/** Webhook deliveries in PostgreSQL; `DeliveryQueue` has what the dispatcher does with them. */
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
import { makeDeliveryQueue } from "./DeliveryQueue.ts"
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
    const buckets = yield* Buckets
    const queue = yield* makeDeliveryQueue

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

    /** Starts a new round of the settled deliveries `d` that a condition holds for, the oldest first. */
    const replayed = (options: {
      readonly bucket: number
      readonly accountId: AccountId
      readonly condition: Fragment
      readonly limit: number
      readonly at: DateTime.Utc
    }) => {
      const { accountId, bucket, condition, limit } = options
      const at = instant(options.at)
      return sql`
        WITH chosen AS (
          SELECT d.id
          FROM webhook_deliveries d
          WHERE d.bucket = ${bucket}::smallint AND d.account_id = ${accountId}::uuid AND ${condition}
          ORDER BY d.id
          LIMIT ${limit}::integer
          FOR UPDATE
        ),
        replayed AS (
          UPDATE webhook_deliveries d
          SET state = 'pending', round = d.round + 1, attempts = 0, next_attempt_at = ${at}::timestamptz,
            expires_at = ${instant(DateTime.addDuration(options.at, deliveryLifetime))}::timestamptz,
            settled_at = NULL
          FROM chosen
          WHERE d.bucket = ${bucket}::smallint AND d.id = chosen.id
          RETURNING d.*
        ),
        queued AS (
          INSERT INTO webhook_queue (bucket, delivery_id, due_at)
          SELECT ${bucket}::smallint, id, ${at}::timestamptz FROM replayed
        )
        SELECT ${sql.literal(deliveryColumns)}
        FROM replayed d
        ${sql.literal(deliveryJoins)}`
    }

    return DeliveryStore.of({
      enqueue: Effect.fn("PgDeliveryStore.enqueue")(queue.enqueue, settled),

      claimDue: Effect.fn("PgDeliveryStore.claimDue")(queue.claimDue, settled),

      settle: Effect.fn("PgDeliveryStore.settle")(queue.settle, settled),

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
        const rows = yield* decoded(DeliveryRow)(sql`
          SELECT ${sql.literal(deliveryColumns)}
          FROM webhook_deliveries d
          ${sql.literal(deliveryJoins)}
          WHERE d.account_id = ${accountId}::uuid AND ${behind(sql, "d.id", page)} AND ${wanted(filter)}
          ORDER BY d.id DESC
          LIMIT ${oneMore(page)}::integer`)
        return pageOf(rows.map(deliveryOf), page)
      }, settledRepeatable),

      replay: Effect.fn("PgDeliveryStore.replay")(function* ({ accountId, id, at }) {
        const bucket = yield* buckets.of(accountId)
        const condition = sql`d.id = ${id}::uuid AND d.state <> 'pending'`
        const row = yield* decodedFirst(DeliveryRow)(replayed({ bucket, accountId, condition, limit: 1, at }))
        if (row !== undefined) return deliveryOf(row)
        const { state } = yield* find(accountId, id)
        return yield* new DeliveryNotSettled({ id, state })
      }, settled),

      replayDead: Effect.fn("PgDeliveryStore.replayDead")(function* ({ accountId, filter, limit, at }) {
        const bucket = yield* buckets.of(accountId)
        const condition = sql`d.state = 'dead' AND ${wanted(filter)}`
        const rows = yield* replayed({ bucket, accountId, condition, limit, at })
        return rows.length
      }, settled)
    })
  })
)
