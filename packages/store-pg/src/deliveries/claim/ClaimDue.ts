/**
 * Claims deliveries: finds due ones in all buckets without a lock, then leases
 * them bucket by bucket. What another dispatcher has leased meanwhile is
 * skipped.
 */
import { isUnsent } from "@runhook/core/domain/delivery/DeliveryOrder"
import { claimDue } from "@runhook/core/domain/delivery/DeliverySteps"
import type { DispatcherId } from "@runhook/core/domain/Ids"
import { CallbackOrder, type Claimed, type ClaimRoom } from "@runhook/core/ports/DeliveryStore"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { forEachBucket } from "../../accounts/EachBucket.ts"
import { byCallersClock, makeMomentsAt } from "../../clock/StoreClock.ts"
import { decoded } from "../../sql/SqlErrors.ts"
import { makeReleaseHeldBack } from "../settle/ReleaseHeldBack.ts"
import { executionOf, makeReadTurns, readWhole, wholeRows } from "../steps/ReadDeliveries.ts"
import type { StoresSteps } from "../steps/StoreSteps.ts"
import { FoundRow, findDue, type Milestone, type Place } from "./FindDue.ts"

/** How far the looks of this process have come around all receivers, and when the first of those is due that they passed. */
interface Round {
  readonly after: Milestone | null
  readonly nextDueAt: DateTime.Utc | null
}

const beginning: Round = { after: null, nextDueAt: null }

/** Looks of one claim, while all that they find has expired or waits its turn. */
const looksMax = 8

interface ClaimOptions {
  readonly dispatcher?: DispatcherId | null
  readonly room: ClaimRoom
  readonly lease: Duration.Duration
  readonly at: DateTime.Utc
}

export const makeClaimDue = Effect.fnUntraced(function* (steps: StoresSteps) {
  const sql = yield* SqlClient
  const readTurns = yield* makeReadTurns
  const momentsAt = yield* makeMomentsAt
  const order = yield* CallbackOrder
  const releaseHeldBack = yield* makeReleaseHeldBack(steps)
  let round = beginning

  /** Takes places of one bucket, as the core judges; answers what became of those that were still there. */
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
      return [{ delivery, isTried, receiver, turns: turns.get(delivery.executionId) ?? [] }]
    })
    const judged = claimDue(due, { at: now, dispatcher, lease, order })
    const stored = yield* steps.store(bucket, judged, "skips")
    const taken = judged.filter(({ before }) => stored.has(before.id))
    const ended = taken.flatMap(({ before, isGivenOut }) => (isGivenOut ? [] : executionOf(bucket, before)))
    yield* releaseHeldBack(ended, at)
    return taken
  })

  /** One look, and what it leads to. */
  const claimOnce = Effect.fnUntraced(function* (options: ClaimOptions) {
    const { lease, room } = options
    const now = momentsAt(options.at).now
    const rows = yield* decoded(FoundRow)(findDue(sql, { room, lease, now, after: round.after }))
    const [first] = rows
    if (first === undefined)
      return yield* Effect.die(new Error("A look at the deliveries saw nothing at all"))
    const { at, endedAt } = first
    const places = rows.flatMap(({ place }) => place ?? [])
    const found = yield* forEachBucket(places, (bucket, some) => take(bucket, some, { ...options, now: at }))
    const judged = found.flat()
    const taken = judged.filter(({ isGivenOut }) => isGivenOut)
    // What took the place of others that are due was not given out: it has expired, or waits its turn.
    const isIncomplete = taken.length < judged.length
    const nextDueAt = isIncomplete ? at : earlier(round.nextDueAt, first.nextDueAt)
    round = endedAt === null ? beginning : { after: endedAt, nextDueAt }
    const claimed: Claimed = {
      deliveries: taken.map(({ after, behind, probeOf }) => ({ delivery: after, behind, probeOf })),
      oldestDueAt: byCallersClock(first.oldestDueAt, { at: options.at, now: at }),
      nextDueAt: byCallersClock(endedAt === null ? nextDueAt : at, { at: options.at, now: at })
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

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)
