/**
 * Claims deliveries: finds due ones in all buckets without a lock, then leases
 * them bucket by bucket. What another dispatcher has leased meanwhile is
 * skipped.
 */
import { choose, earliest } from "@runhook/core/deliveries/claim/ClaimChoice"
import { streamOf } from "@runhook/core/deliveries/Delivery"
import { isUnsent } from "@runhook/core/deliveries/claim/DeliveryOrder"
import { claimDue } from "@runhook/core/deliveries/steps/DeliverySteps"
import { nextSlice } from "@runhook/core/deliveries/claim/Receiver"
import type { DispatcherId } from "@runhook/core/shared/Ids"
import type { ClaimRoom } from "@runhook/core/deliveries/claim/ClaimRoom"
import { CallbackOrder, type Claimed } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IsDistributed } from "../../accounts/Buckets.ts"
import { forEachBucket } from "../../accounts/EachBucket.ts"
import { byCallersClock, StoreClock } from "../../clock/StoreClock.ts"
import { isLost } from "../../database/Nodes.ts"
import { makeReleaseHeldBack } from "../settle/ReleaseHeldBack.ts"
import { executionOf, makeReadTurns, readWhole, wholeRows } from "../steps/ReadDeliveries.ts"
import { DeliverySteps } from "../steps/DeliverySteps.ts"
import {
  fewMax,
  findFew,
  findFewOnNodes,
  foundRows,
  makeWalkShards,
  isPlace,
  type Place,
  rowsMax,
  start,
  type Stop,
  walkDue
} from "./FindDue.ts"

/** How far the looks of this process have come around all receivers, and when the first of those is due that they passed. */
interface Round {
  readonly after: Stop
  readonly nextDueAt: DateTime.Utc | null
}

const beginning: Round = { after: start, nextDueAt: null }

/** Looks of one claim, while all that they find has expired or waits its turn. */
const looksMax = 8

/** Looks that begin with the walk once all that waits was too much to read. */
const walksInARow = 8

interface ClaimOptions {
  readonly dispatcher?: DispatcherId | null
  readonly room: ClaimRoom
  readonly lease: Duration.Duration
  readonly at: DateTime.Utc
}

export const makeClaimDue = Effect.gen(function* () {
  const steps = yield* DeliverySteps
  const sql = yield* SqlClient
  const readTurns = yield* makeReadTurns
  const clock = yield* StoreClock
  const walkShards = yield* makeWalkShards
  const isDistributed = yield* IsDistributed
  const [few, walk] = [isDistributed ? findFewOnNodes(clock) : findFew(clock), walkDue(clock)]
  const order = yield* CallbackOrder
  const releaseHeldBack = yield* makeReleaseHeldBack
  let round = beginning
  /** Looks that begin with the walk: much waited lately. */
  let walks = 0

  /** Takes places of one bucket, as the core judges; answers the outcomes of those that were still there. */
  const take = Effect.fnUntraced(function* (
    bucket: number,
    places: ReadonlyArray<Place>,
    { at, dispatcher = null, lease, now }: ClaimOptions & { readonly now: DateTime.Utc }
  ) {
    const found = yield* wholeRows(readWhole(sql, { bucket, keys: places }))
    const waiting = order === "none" ? [] : found.filter(([delivery]) => isUnsent(delivery))
    const turns = yield* readTurns(waiting.flatMap(([delivery]) => executionOf(bucket, delivery)))
    const byId = new Map(found.map((row) => [row[0].id, row]))
    const due = places.flatMap(({ dueAt, id, isTried }) => {
      const [delivery, receiver] = byId.get(id) ?? [undefined, undefined]
      const isAsSeen = delivery?.nextAttemptAt?.epochMilliseconds === dueAt.epochMilliseconds
      if (delivery === undefined || receiver === undefined || !isAsSeen) return []
      return [{ delivery, isTried, receiver, turns: turns.get(streamOf(delivery)) ?? [] }]
    })
    const judged = claimDue(due, { at: now, dispatcher, lease, order })
    const stored = yield* steps.store(bucket, judged, "skips")
    const taken = judged.filter(({ before }) => stored.has(before.id))
    const ended = taken.flatMap(({ before, isGivenOut }) => (isGivenOut ? [] : executionOf(bucket, before)))
    yield* releaseHeldBack(ended, at)
    return taken
  })

  const find = Effect.fnUntraced(function* (options: ClaimOptions) {
    if (round === beginning && walks === 0) {
      const rows = yield* foundRows(few(sql, options)).pipe(
        // The walk asks shard by shard.
        Effect.catchIf(
          (error) => isDistributed && isLost(error),
          () => Effect.succeed(null)
        )
      )
      if (rows !== null && rows.length <= fewMax && !rows.some(({ isTooMuch }) => isTooMuch)) return rows
      walks = walksInARow
    }
    walks = Math.max(0, walks - 1)
    const asked = { ...options, after: round.after }
    return yield* isDistributed ? walkShards(asked) : foundRows(walk(sql, asked))
  })

  /** One look, and what it leads to. */
  const claimOnce = Effect.fnUntraced(function* (options: ClaimOptions) {
    const rows = yield* find(options)
    const at = rows[0]?.now ?? options.at
    const { chosen, nextDueAt: next, oldestDueAt } = choose(rows.filter(isPlace), { ...options, at })
    const found = yield* forEachBucket(chosen, (bucket, some) => take(bucket, some, { ...options, now: at }))
    const judged = found.flat()
    const taken = judged.filter(({ isGivenOut }) => isGivenOut)
    // What took the place of others that are due was not given out: it has expired, or waits its turn.
    const isIncomplete = taken.length < judged.length
    const walked = rows.filter(({ isTried }) => !isTried)
    const last = walked.length < rowsMax ? undefined : walked.at(-1)
    const byCaller = (moment: DateTime.Utc | null) => byCallersClock(moment, { at: options.at, now: at })
    const nextDueAt = isIncomplete
      ? options.at
      : earliest([round.nextDueAt, ...[next, ...rows.map((row) => nextSlice(row, at))].map(byCaller)])
    round = last === undefined ? beginning : { after: last, nextDueAt }
    const claimed: Claimed = {
      deliveries: taken.map(({ after, behind, probeOf }) => ({ delivery: after, behind, probeOf })),
      oldestDueAt: byCaller(oldestDueAt),
      nextDueAt: last === undefined ? nextDueAt : options.at
    }
    return { claimed, isInVain: isIncomplete && taken.length === 0 }
  })

  return Effect.fnUntraced(function* (options: ClaimOptions) {
    for (let look = 1; look < looksMax; look++) {
      const { claimed, isInVain } = yield* claimOnce(options)
      if (!isInVain) return claimed
    }
    const { claimed } = yield* claimOnce(options)
    return claimed
  })
})
