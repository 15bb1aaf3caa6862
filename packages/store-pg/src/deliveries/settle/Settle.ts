/**
 * Settles deliveries: records attempts with their verdicts, moves their receivers, and releases what waited for them.
 * A delivery that nobody has changed since it was leased need not be read: the guard of the statement makes sure of
 * that.
 */
import type { DeliverySummary } from "@runhook/core/deliveries/Delivery"
import { mayEndTurn } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { settle, type Step } from "@runhook/core/deliveries/steps/DeliverySteps"
import { receiverOf } from "@runhook/core/deliveries/claim/Receiver"
import type { Settlement } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { forEachBucket } from "../../accounts/EachBucket.ts"
import { nowKnown, nowOf, StoreClock } from "../../clock/StoreClock.ts"
import { attemptedRows, type ExecutionKey, readAttempted } from "../steps/ReadDeliveries.ts"
import { DeliverySteps } from "../steps/DeliverySteps.ts"
import { makeMoveReceivers } from "./Receivers.ts"
import { makeReleaseHeldBack } from "./ReleaseHeldBack.ts"

/** Tries before giving up, while others change the delivery between the read and the write. */
const triesMax = 10

/** The result of an attempt for its delivery; null when the attempt does not count, or has counted before. */
interface Judged {
  readonly settlement: Settlement
  readonly delivery: DeliverySummary
  readonly step: Step | null
}

export const makeSettle = Effect.gen(function* () {
  const steps = yield* DeliverySteps
  const sql = yield* SqlClient
  const clock = yield* StoreClock
  const buckets = yield* Buckets
  const moveReceivers = yield* makeMoveReceivers
  const releaseHeldBack = yield* makeReleaseHeldBack

  /** The dispatcher's `at` is `now` on the store's clock. */
  const judge = (settlement: Settlement, delivery: DeliverySummary, at: DateTime.Utc, now: DateTime.Utc) => {
    const { verdict } = settlement
    const shifted =
      verdict._tag === "Retry"
        ? {
            ...verdict,
            nextAttemptAt: DateTime.addDuration(now, DateTime.distance(at, verdict.nextAttemptAt))
          }
        : verdict
    return { settlement, delivery, step: settle(delivery, { ...settlement, verdict: shifted }, now) }
  }

  /** Judges by the delivery as it was leased, as far as this process knows it. */
  const guess = (settlements: ReadonlyArray<Settlement>, at: DateTime.Utc): ReadonlyArray<Judged> => {
    const now = nowKnown(clock, { at, known: steps.now.current })
    return now === undefined
      ? []
      : settlements.flatMap((each) => (each.sent === undefined ? [] : judge(each, each.sent, at, now)))
  }

  const read = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    at: DateTime.Utc
  ) {
    const attempts = settlements.map(({ accountId, attempt: { deliveryId: id, number, round } }) => ({
      accountId,
      id,
      number,
      round
    }))
    const found = yield* attemptedRows(readAttempted(sql, { bucket, attempts }))
    const byId = new Map(found.map((row) => [row[0].id, row]))
    return settlements.flatMap((settlement): ReadonlyArray<Judged> => {
      const row = byId.get(settlement.attempt.deliveryId)
      if (row === undefined) return []
      const [delivery, { isRecorded, now }] = row
      const judged = judge(settlement, delivery, at, nowOf(clock, { at, read: now }))
      return [isRecorded ? { ...judged, step: null } : judged]
    })
  })

  /** Stores steps, and the moves of their receivers; answers the deliveries that were stored. */
  const store = Effect.fnUntraced(function* (
    bucket: number,
    judged: ReadonlyArray<Judged>,
    at: DateTime.Utc
  ) {
    const stored = yield* steps.store(
      bucket,
      judged.flatMap(({ step }) => step ?? []),
      "waits"
    )
    const moves = judged.flatMap(({ delivery, settlement: { move } }) =>
      move === undefined || !stored.has(delivery.id) ? [] : [{ receiver: receiverOf(delivery), move }]
    )
    if (moves.length > 0) yield* moveReceivers({ bucket, moves, at })
    return stored
  })

  /** Answers the executions whose later events may have waited. */
  const settleBucket = Effect.fnUntraced(function* (
    bucket: number,
    settlements: ReadonlyArray<Settlement>,
    at: DateTime.Utc
  ) {
    const ended: Array<ExecutionKey> = []
    let open = settlements
    for (let tries = 0; open.length > 0; tries++) {
      if (tries === triesMax)
        return yield* Effect.die(new Error(`${open.length} attempts were not recorded in ${tries} tries`))
      const guessed = tries === 0 ? guess(open, at) : []
      const known = new Set(guessed.map(({ settlement }) => settlement))
      const rest = open.filter((settlement) => !known.has(settlement))
      const judged = rest.length === 0 ? guessed : [...guessed, ...(yield* read(bucket, rest, at))]
      const storing = store(bucket, judged, at)
      const hasMoves = judged.some(({ settlement: { move } }) => move !== undefined)
      const stored = yield* hasMoves ? sql.withTransaction(storing) : storing
      const missed = new Set<Settlement>()
      for (const { delivery, settlement, step } of judged) {
        const { executionId } = delivery
        if (step !== null && !stored.has(delivery.id)) missed.add(settlement)
        // An earlier try may have counted the attempt and lost its connection before it released anything.
        else if (executionId !== null && (step === null || mayEndTurn(step.after)))
          ended.push({ bucket, executionId })
      }
      open = open.filter((each) => missed.has(each))
    }
    return ended
  })

  return Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>, at: DateTime.Utc) {
    const placed = yield* Effect.forEach(settlements, (settlement) =>
      Effect.map(buckets.of(settlement.accountId), (bucket) => ({ bucket, settlement }))
    )
    const ended = yield* forEachBucket(placed, (bucket, ofBucket) => {
      const settled = ofBucket.map(({ settlement }) => settlement)
      return settleBucket(bucket, settled, at)
    })
    return yield* releaseHeldBack(ended.flat(), at)
  })
})
