/** Takes back what was given out: attempts with their verdicts, and what they mean for the receivers and for what waited. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { uuids } from "../Arrays.ts"
import { Buckets } from "../Buckets.ts"
import { decoded } from "../Outcomes.ts"
import { StoreClock, nowOf } from "../clock/StoreClock.ts"
import { makeReceivers } from "./Receivers.ts"
import { makeReleasing } from "./Releasing.ts"
import { SettledRow, settleStatement } from "./SettleStatement.ts"

/** Always in one order: two dispatchers would otherwise wait for each other. */
const inOrder = Order.mapInput(Order.String, ({ attempt }: Settlement) => attempt.deliveryId)

const ExecutionRow = Schema.Struct({ executionId: Schema.NullOr(ExecutionId) })

/** Buckets of one batch that are written at the same time. */
const bucketsAtOnce = 4

export const makeSettling = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const clock = yield* StoreClock
  const receivers = yield* makeReceivers
  const { release } = yield* makeReleasing

  /** Records attempts, and what those that counted mean for their receivers; answers those. */
  const record = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    at: DateTime.Utc
  ) {
    const now = nowOf(sql, { at, clock })
    const counted = yield* decoded(SettledRow)(settleStatement(sql, { bucket, settlements, at, now }))
    const origins = new Map(counted.map(({ id, origin }) => [id, origin]))
    const moves = settlements.flatMap(({ accountId, attempt, move }) => {
      const origin = origins.get(attempt.deliveryId)
      return move === undefined || origin === undefined ? [] : [{ receiver: { accountId, origin }, move }]
    })
    if (moves.length > 0) yield* receivers.move({ bucket, moves, at })
    return counted
  })

  /**
   * The executions of what did not count. It may have counted before: whoever
   * then lost the connection has released nothing, and settles once more.
   */
  const executionsOfOthers = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    counted: ReadonlyArray<typeof SettledRow.Type>
  ) {
    const ids = new Set(counted.map(({ id }) => id))
    const others = settlements.filter(({ attempt }) => !ids.has(attempt.deliveryId))
    if (others.length === 0) return []
    const found = yield* decoded(ExecutionRow)(sql`
      SELECT d.execution_id AS "executionId"
      FROM unnest(
        ${uuids(others.map(({ accountId }) => accountId))}::uuid[],
        ${uuids(others.map(({ attempt }) => attempt.deliveryId))}::uuid[]
      ) AS asked (account_id, id)
      CROSS JOIN LATERAL (
        SELECT d.execution_id
        FROM webhook_deliveries d
        WHERE d.bucket = ${bucket}::smallint AND d.account_id = asked.account_id AND d.id = asked.id
        LIMIT 1
      ) AS d`)
    return found.map(({ executionId }) => executionId)
  })

  const settleBucket = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    at: DateTime.Utc
  ) {
    const recording = record(bucket, settlements, at)
    const hasMoves = settlements.some(({ move }) => move !== undefined)
    const counted = yield* hasMoves ? sql.withTransaction(recording) : recording
    const released = counted.map(({ releasedExecutionId }) => releasedExecutionId)
    const uncounted = yield* executionsOfOthers(bucket, settlements, counted)
    yield* release({ bucket, executionIds: [...released, ...uncounted], at })
  })

  const settle = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, at: DateTime.Utc) {
    const placed = yield* Effect.forEach(Array.sort(settlements, inOrder), (settlement) =>
      Effect.map(buckets.of(settlement.accountId), (bucket) => ({ bucket, settlement }))
    )
    yield* Effect.forEach(
      Object.values(Array.groupBy(placed, ({ bucket }) => bucket.toString())),
      (ofBucket) =>
        settleBucket(
          ofBucket[0].bucket,
          ofBucket.map(({ settlement }) => settlement),
          at
        ),
      { discard: true, concurrency: bucketsAtOnce }
    )
  })

  return { settle }
})
