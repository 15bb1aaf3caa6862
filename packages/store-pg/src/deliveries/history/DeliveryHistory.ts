/** Reads deliveries and their attempts for the API. */
import { attemptsShownMax } from "@runhook/core/deliveries/Delivery"
import { waitOf } from "@runhook/core/deliveries/claim/DeliveryWait"
import { type AccountId, EventId } from "@runhook/core/shared/Ids"
import type { PageRequest } from "@runhook/core/shared/Page"
import { CallbackOrder, type DeliveryFilter, DeliveryNotFound } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../../clock/StoreClock.ts"
import { firstOf, rowsOf } from "../../rows/Rows.ts"
import { makeLooks } from "../../sql/Looks.ts"
import { oneMore, pageOf } from "../../sql/Paging.ts"
import { inBucket, integer, smallint, text, uuid, uuids } from "../../sql/Parameters.ts"
import { decoded, decodedFirst, idempotentOrDefect } from "../../sql/SqlErrors.ts"
import { attemptColumns, attemptOf, AttemptRow } from "../AttemptRow.ts"
import { fixed, type InBucket, statement } from "../../sql/Statement.ts"
import { deliveryJoins, deliveryTable, summaryTable } from "../DeliveryRow.ts"
import { FirstAttempt, firstAttemptOf } from "../FirstAttempt.ts"
import { originOf } from "../queue/Origins.ts"
import { makeListDeadLetters } from "./DeadLetters.ts"
import { DeliveryReads } from "./DeliveryReads.ts"
import { isIn, walked } from "./WalkDeliveries.ts"

const FirstAttemptRow = Schema.Struct({ firstAttempt: FirstAttempt })

const StandingRow = Schema.Struct({
  id: EventId,
  now: Schema.DateTimeUtc,
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtc),
  attempts: Schema.Int,
  openings: Schema.Int,
  heldUntil: Schema.NullOr(Schema.DateTimeUtc),
  closedAt: Schema.NullOr(Schema.DateTimeUtc),
  hasEarlier: Schema.Boolean,
  isAttempted: Schema.Boolean,
  isTried: Schema.Boolean
})

/** Waiting deliveries of an account that one list sorts. Where more wait, a walk over the newest finds enough of them. */
const sortedMax = 10_000

interface One extends InBucket {
  readonly accountId: AccountId
  readonly id: EventId
}

const readOne = statement(fixed<One>`
  SELECT ${deliveryTable.columns}
  FROM webhook_deliveries d
  ${deliveryJoins}
  WHERE d.bucket = ${inBucket} AND d.id = ${uuid(({ id }: One) => id)} AND d.account_id = ${uuid(({ accountId }: One) => accountId)}`)

interface Asked {
  readonly accountId: AccountId
  readonly ids: ReadonlyArray<EventId>
  readonly at: DateTime.Utc
}

export const layer = Layer.effect(
  DeliveryReads,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const buckets = yield* Buckets
    const timeSqlAt = yield* makeTimeSqlAt
    const order = yield* CallbackOrder
    const { lookedAt, pageOfLooked } = yield* makeLooks

    const find = Effect.fnUntraced(function* (accountId: AccountId, id: EventId) {
      const bucket = yield* buckets.of(accountId)
      const found = yield* firstOf(deliveryTable)(readOne(sql, { bucket, accountId, id }))
      return found ?? (yield* new DeliveryNotFound({ id }))
    })

    const get = Effect.fnUntraced(function* (accountId: AccountId, id: EventId) {
      const delivery = yield* find(accountId, id)
      const bucket = yield* buckets.of(accountId)
      const attempts = yield* decoded(AttemptRow)(sql`
      SELECT ${sql.literal(attemptColumns)}
      FROM webhook_attempts
      WHERE bucket = ${smallint(bucket)} AND delivery_id = ${uuid(id)}
      ORDER BY round DESC, number DESC
      LIMIT ${integer(attemptsShownMax)}`)
      const first = yield* decodedFirst(FirstAttemptRow)(sql`
      SELECT d.first_attempt AS "firstAttempt"
      FROM webhook_deliveries d
      WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} AND d.id = ${uuid(id)}
        AND d.first_attempt IS NOT NULL`)
      const latestFirst = [
        ...attempts.map((attempt) => attemptOf(attempt, delivery)),
        ...(first === undefined ? [] : [firstAttemptOf(id, first.firstAttempt, delivery)])
      ]
      return { delivery, attempts: latestFirst.slice(0, attemptsShownMax).toReversed() }
    })

    const isShort = (bucket: number, accountId: AccountId) =>
      Effect.map(
        sql`
        SELECT FROM webhook_queue q WHERE q.bucket = ${smallint(bucket)} AND q.account_id = ${uuid(accountId)}
        OFFSET ${integer(sortedMax)} LIMIT 1`,
        ({ length }) => length === 0
      )

    const list = Effect.fnUntraced(function* (
      accountId: AccountId,
      filter: DeliveryFilter,
      page: PageRequest
    ) {
      const bucket = yield* buckets.of(accountId)
      const isQueueShort = isIn(filter, "pending") && (yield* isShort(bucket, accountId))
      const walk = { bucket, within: buckets.within(bucket), accountId, filter, page, isQueueShort }
      const { found, range } = walked(sql, walk, lookedAt)
      const rows = yield* rowsOf(summaryTable)(sql`
      SELECT ${sql.literal(summaryTable.columns)} FROM ${found} LIMIT ${integer(oneMore(page))}`)
      return range === undefined ? pageOf(rows, page) : yield* pageOfLooked(rows, range, page)
    })

    /** The standing of pending deliveries, and that of the account. */
    const standings = Effect.fnUntraced(function* ({ accountId, at, ids }: Asked) {
      const bucket = yield* buckets.of(accountId)
      return yield* decoded(StandingRow)(sql`
      SELECT d.id, ${timeSqlAt(at).now} AS now, d.next_attempt_at AS "nextAttemptAt", d.attempts,
        coalesce(r.openings, 0) AS openings, r.held_until AS "heldUntil", r.closed_at AS "closedAt",
        ${text(order)} <> 'none' AND d.round = 1 AND d.last_status IS NULL AND d.last_error IS NULL AND (
          SELECT e.id FROM webhook_deliveries e
          WHERE e.bucket = ${smallint(bucket)} AND e.execution_id = d.execution_id
            AND e.endpoint_id IS NOT DISTINCT FROM d.endpoint_id AND e.state = 'pending' AND e.round = 1
            AND (e.revision, e.id) < (d.revision, d.id)
          LIMIT 1
        ) IS NOT NULL AS "hasEarlier",
        d.attempts > 0 AND (
          SELECT a.number FROM webhook_attempts a
          WHERE a.bucket = ${smallint(bucket)} AND a.delivery_id = d.id AND a.round = d.round AND a.number = d.attempts
          LIMIT 1
        ) IS NULL AS "isAttempted",
        (
          SELECT q.delivery_id FROM webhook_queue q
          WHERE q.bucket = ${smallint(bucket)} AND q.delivery_id = d.id AND q.is_tried
          LIMIT 1
        ) IS NOT NULL AS "isTried"
      FROM unnest(${uuids(ids)}) AS asked (id)
      CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(bucket)} AND d.account_id = ${uuid(accountId)} AND d.id = asked.id
        LIMIT 1
      ) AS d
      LEFT JOIN LATERAL (
        SELECT * FROM webhook_receivers r
        WHERE r.bucket = ${smallint(bucket)} AND r.account_id = d.account_id AND r.origin = ${originOf(sql, "d.url")}
        LIMIT 1
      ) AS r ON TRUE
      WHERE d.state = 'pending'`)
    })

    const waits = (asked: Asked) =>
      Effect.map(
        standings(asked),
        (rows) => new Map(rows.map((row) => [row.id, waitOf(row, { ...row, receiver: row }, row.now)]))
      )

    return DeliveryReads.of({
      deadLetters: flow(yield* makeListDeadLetters, idempotentOrDefect),
      get: flow(get, idempotentOrDefect),
      list: flow(list, idempotentOrDefect),
      standings,
      waits: flow(waits, idempotentOrDefect)
    })
  })
)
