/** Settles deliveries: records attempts with their verdicts, moves their receivers, and releases what waited for them. */
import { EventId, ExecutionId } from "@runhook/core/domain/Ids"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { makeMomentsAt } from "../../clock/StoreClock.ts"
import { integer, smallint, uuid } from "../../sql/Parameters.ts"
import { rows } from "../../sql/Rows.ts"
import { decoded } from "../../sql/SqlErrors.ts"
import { makeMoveReceivers } from "./Receivers.ts"
import { isLatest, isRecorded, SettledRow, recordAttempts } from "./RecordAttempts.ts"
import { makeReleaseHeldBack } from "./ReleaseHeldBack.ts"

/** Always in one order: two dispatchers would otherwise wait for each other. */
const inOrder = Order.mapInput(Order.String, ({ attempt }: Settlement) => attempt.deliveryId)

/** How the delivery stands of an attempt that did not count. */
const OtherRow = Schema.Struct({
  id: EventId,
  executionId: Schema.NullOr(ExecutionId),
  /** Whether it would count now. */
  isOpen: Schema.Boolean
})

/** Buckets of one batch that are written at the same time. */
const bucketsAtOnce = 4

/** Times that an attempt is stored, while others move its delivery in the queue between the read and the write. */
const triesMax = 10

export const makeSettle = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const momentsAt = yield* makeMomentsAt
  const moveReceivers = yield* makeMoveReceivers
  const { releaseBehind } = yield* makeReleaseHeldBack

  /** Records attempts, and what those that counted mean for their receivers; answers those. */
  const record = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    at: DateTime.Utc
  ) {
    const now = momentsAt(at).now
    const counted = yield* decoded(SettledRow)(recordAttempts(sql, { bucket, settlements, at, now }))
    const origins = new Map(counted.map(({ id, origin }) => [id, origin]))
    const moves = settlements.flatMap(({ accountId, attempt, move }) => {
      const origin = origins.get(attempt.deliveryId)
      return move === undefined || origin === undefined ? [] : [{ receiver: { accountId, origin }, move }]
    })
    if (moves.length > 0) yield* moveReceivers({ bucket, moves, at })
    return counted
  })

  /**
   * What did not count. It may have counted before: whoever then lost the
   * connection has released nothing, and settles once more.
   */
  const others = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    counted: ReadonlyArray<typeof SettledRow.Type>
  ) {
    const ids = new Set(counted.map(({ id }) => id))
    const uncounted = settlements.filter(({ attempt }) => !ids.has(attempt.deliveryId))
    if (uncounted.length === 0) return []
    return yield* decoded(OtherRow)(sql`
      SELECT d.id, d.execution_id AS "executionId",
        ${isLatest(sql, "asked")} AND NOT ${isRecorded(sql, { bucket, relation: "asked" })} AS "isOpen"
      FROM ${rows("asked", uncounted, { account_id: uuid(({ accountId }) => accountId), id: uuid(({ attempt }) => attempt.deliveryId), round: integer(({ attempt }) => attempt.round), number: integer(({ attempt }) => attempt.number) })}
      CROSS JOIN LATERAL (
        SELECT *
        FROM webhook_deliveries d
        WHERE d.bucket = ${smallint(bucket)} AND d.account_id = asked.account_id AND d.id = asked.id
        LIMIT 1
      ) AS d`)
  })

  /** Answers the executions whose later events may have waited. */
  const settleBucket = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    at: DateTime.Utc
  ) {
    const ended: Array<ExecutionId | null> = []
    let missed = settlements
    for (let tries = 0; missed.length > 0; tries++) {
      if (tries === triesMax)
        return yield* Effect.die(new Error(`${missed.length} attempts were not recorded in ${tries} tries`))
      const recording = record(bucket, missed, at)
      const hasMoves = missed.some(({ move }) => move !== undefined)
      const counted = yield* hasMoves ? sql.withTransaction(recording) : recording
      const rest = yield* others(bucket, missed, counted)
      ended.push(...counted.map(({ releasedExecutionId }) => releasedExecutionId))
      ended.push(...rest.map(({ executionId }) => executionId))
      const again = new Set(rest.flatMap(({ id, isOpen }) => (isOpen ? id : [])))
      missed = missed.filter(({ attempt }) => again.has(attempt.deliveryId))
    }
    return { bucket, executionIds: ended }
  })

  return Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, at: DateTime.Utc) {
    const placed = yield* Effect.forEach(Array.sort(settlements, inOrder), (settlement) =>
      Effect.map(buckets.of(settlement.accountId), (bucket) => ({ bucket, settlement }))
    )
    const ended = yield* Effect.forEach(
      Object.values(Array.groupBy(placed, ({ bucket }) => bucket.toString())),
      (ofBucket) =>
        settleBucket(
          ofBucket[0].bucket,
          ofBucket.map(({ settlement }) => settlement),
          at
        ),
      { concurrency: bucketsAtOnce }
    )
    return yield* releaseBehind(ended, at)
  })
})
