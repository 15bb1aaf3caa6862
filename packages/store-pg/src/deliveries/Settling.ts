/** Takes back what was given out: attempts with their verdicts, and what they mean for the receivers. */
import type { ReceiverMove } from "@runhook/core/domain/Receiving"
import type { Settlement } from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../Buckets.ts"
import { decoded, decodedFirst } from "../Outcomes.ts"
import { DueClock, nowOf } from "./DueClock.ts"
import { makeReceivers } from "./Receivers.ts"
import { SettledRow, settleStatement } from "./SettleStatement.ts"

const NowRow = Schema.Struct({ now: Schema.DateTimeUtc })

/** Always in one order: two dispatchers would otherwise wait for each other. */
const inOrder = Order.mapInput(Order.String, ({ attempt }: Settlement) => attempt.deliveryId)

export const makeSettling = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const clock = yield* DueClock
  const receivers = yield* makeReceivers

  /** What attempts mean for receivers, of those that counted. */
  const moveReceivers = Effect.fnUntraced(function* (options: {
    readonly bucket: number
    readonly settlements: ReadonlyArray<Settlement>
    readonly counted: ReadonlyArray<typeof SettledRow.Type>
    readonly at: DateTime.Utc
  }) {
    const { at, bucket, counted, settlements } = options
    const row = yield* decodedFirst(NowRow)(sql`SELECT ${nowOf(sql, { at, clock })} AS now`)
    const now = row?.now ?? at
    const origins = new Map(counted.map(({ id, origin }) => [id, origin]))
    for (const { accountId, attempt, move } of settlements) {
      const origin = origins.get(attempt.deliveryId)
      if (move === undefined || origin === undefined) continue
      const receiver = { accountId, origin }
      yield* receivers.move({ bucket, receiver, move: shifted(move, DateTime.distance(at, now)), at: now })
    }
  })

  const settleBucket = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    at: DateTime.Utc
  ) {
    const now = nowOf(sql, { at, clock })
    const counted = yield* decoded(SettledRow)(settleStatement(sql, { bucket, settlements, at, now }))
    if (settlements.some(({ move }) => move !== undefined)) {
      yield* moveReceivers({ bucket, settlements, counted, at })
    }
  })

  const settle = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, at: DateTime.Utc) {
    const placed = yield* Effect.forEach(Array.sort(settlements, inOrder), (settlement) =>
      Effect.map(buckets.of(settlement.accountId), (bucket) => ({ bucket, settlement }))
    )
    yield* Effect.forEach(
      Object.values(Array.groupBy(placed, ({ bucket }) => bucket.toString())),
      (ofBucket) => {
        const own = ofBucket.map(({ settlement }) => settlement)
        const settling = settleBucket(ofBucket[0].bucket, own, at)
        return own.some(({ move }) => move !== undefined) ? sql.withTransaction(settling) : settling
      },
      { discard: true }
    )
  })

  return { settle }
})

/** A move by a clock that is so far behind. */
const shifted = (move: ReceiverMove, by: ReturnType<typeof DateTime.distance>): ReceiverMove =>
  move._tag === "Close" ? move : { ...move, until: DateTime.addDuration(move.until, by) }
