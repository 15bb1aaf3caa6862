/**
 * Claims deliveries: finds due ones in all buckets without a lock, then leases
 * them bucket by bucket. What another dispatcher has leased meanwhile is
 * skipped.
 */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import type { DispatcherId } from "@runhook/core/domain/Ids"
import {
  CallbackOrder,
  type Claimed,
  type ClaimedDelivery,
  type ClaimRoom
} from "@runhook/core/ports/DeliveryStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { byCallersClock, makeMomentsAt } from "../../clock/StoreClock.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { decoded } from "../../sql/SqlErrors.ts"
import { deliveryTable } from "../DeliveryRow.ts"
import { makeReleaseHeldBack } from "../settle/ReleaseHeldBack.ts"
import { FoundRow, findDue, type Milestone, type Place } from "./FindDue.ts"
import { leaseDue } from "./LeaseDue.ts"

/** How far the looks of this process have come around all receivers, and when the first of those is due that they passed. */
interface Round {
  readonly after: Milestone | null
  readonly nextDueAt: DateTime.Utc | null
}

const beginning: Round = { after: null, nextDueAt: null }

/** Buckets of one claim that are taken from at the same time: nothing is sent before the last one. */
const bucketsAtOnce = 4

/** Looks of one claim, while all that they find has expired or waits its turn. */
const looksMax = 8

const takenRows = rowsOf(deliveryTable)

interface ClaimOptions {
  readonly dispatcher?: DispatcherId
  readonly room: ClaimRoom
  readonly lease: Duration.Duration
  readonly at: DateTime.Utc
}

export const makeClaimDue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const momentsAt = yield* makeMomentsAt
  const order = yield* CallbackOrder
  const { release } = yield* makeReleaseHeldBack
  let round = beginning

  /** Takes places of one bucket; answers the deliveries that were there, also those that have expired or wait their turn. */
  const take = Effect.fnUntraced(function* (
    places: Array.NonEmptyReadonlyArray<Place>,
    options: ClaimOptions & { readonly now: DateTime.Utc }
  ) {
    const { at, dispatcher, lease, now } = options
    const [{ bucket }] = places
    const deliveries = yield* takenRows(leaseDue(sql, { bucket, dispatcher, places, at: now, lease, order }))
    const ofTurns = deliveries.filter((delivery) => !isGivenOut(delivery, options))
    yield* release({ bucket, executionIds: ofTurns.map(({ executionId }) => executionId), at })
    return deliveries
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
    const found = yield* Effect.forEach(
      Object.values(Array.groupBy(places, ({ bucket }) => bucket.toString())),
      (ofBucket) => take(ofBucket, { ...options, now: at }),
      { concurrency: bucketsAtOnce }
    )
    const deliveries = found.flat()
    const taken = deliveries.filter((delivery) => isGivenOut(delivery, { lease, now: at }))
    // What took the place of others that are due was not given out: it has expired, or waits its turn.
    const isIncomplete = taken.length < deliveries.length
    const nextDueAt = isIncomplete ? at : earlier(round.nextDueAt, first.nextDueAt)
    round = endedAt === null ? beginning : { after: endedAt, nextDueAt }
    const claimed: Claimed = {
      deliveries: given(places, taken),
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

/** Whether it is on its way now: neither dead nor put off. */
const isGivenOut = (
  { attemptedAt, nextAttemptAt }: Delivery,
  { lease, now }: { readonly lease: Duration.Duration; readonly now: DateTime.Utc }
): boolean =>
  attemptedAt?.epochMilliseconds === now.epochMilliseconds &&
  nextAttemptAt?.epochMilliseconds === DateTime.addDuration(now, lease).epochMilliseconds

/** What a claimer gets, in the order of the places. */
const given = (
  places: ReadonlyArray<Place>,
  taken: ReadonlyArray<Delivery>
): ReadonlyArray<ClaimedDelivery> => {
  const takenById = new Map(taken.map((delivery) => [delivery.id, delivery]))
  return places.flatMap(({ id, openings }) => {
    const delivery = takenById.get(id)
    return delivery === undefined ? [] : [{ delivery, probeOf: openings > 0 ? openings : null, behind: null }]
  })
}

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)
