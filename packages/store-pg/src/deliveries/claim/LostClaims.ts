/**
 * Brings back claims whose dispatcher never heard of them, or has ended: finds
 * them in all buckets without a lock, then returns them bucket by bucket.
 */
import { comeBack } from "@runhook/core/deliveries/steps/DeliverySteps"
import { AccountId, DispatcherId, EventId } from "@runhook/core/shared/Ids"
import type { Ended, Unsent } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { forEachBucket } from "../../accounts/EachBucket.ts"
import { makeTimeSqlAt, nowOf, StoreClock } from "../../clock/StoreClock.ts"
import { makeLook } from "../../database/Nodes.ts"
import { uuid, uuids } from "../../sql/Parameters.ts"
import { decoded } from "../../sql/SqlErrors.ts"
import { placedRows, readPlaced } from "../steps/ReadDeliveries.ts"
import { DeliverySteps } from "../steps/DeliverySteps.ts"

const ClaimRow = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  id: EventId,
  leaseEnd: Schema.DateTimeUtc
})

const BeatRow = Schema.Struct({ id: DispatcherId, beats: Schema.Int })

export const makeLostClaims = Effect.gen(function* () {
  const steps = yield* DeliverySteps
  const sql = yield* SqlClient
  const clock = yield* StoreClock
  const timeSqlAt = yield* makeTimeSqlAt
  const look = yield* makeLook

  /** Brings back the claims among the queue `q` that are meant; answers how many, and whether others may be left. */
  const returnFound = Effect.fnUntraced(function* (
    meant: Fragment,
    { at, attempt }: { readonly at: DateTime.Utc; readonly attempt: "made" | "unsent" }
  ) {
    const { found: claims, isWhole } = yield* look((within) =>
      decoded(ClaimRow)(sql`
        SELECT q.bucket, q.account_id AS "accountId", q.delivery_id AS id, q.due_at AS "leaseEnd"
        FROM webhook_queue q
        WHERE q.dispatcher_id IS NOT NULL AND ${meant} AND ${within("q")}`)
    )
    const returned = yield* forEachBucket(
      claims,
      Effect.fnUntraced(function* (bucket, keys) {
        const ends = new Map(keys.map(({ id, leaseEnd }) => [id, leaseEnd.epochMilliseconds]))
        const found = yield* placedRows(readPlaced(sql, { bucket, keys }))
        const back = found
          // What was settled or claimed again meanwhile is passed by.
          .filter(([{ id, nextAttemptAt }]) => nextAttemptAt?.epochMilliseconds === ends.get(id))
          .map(([delivery, { isTried, now, ...receiver }]) =>
            comeBack({ delivery, isTried, receiver }, { attempt, at: nowOf(clock, { at, read: now }) })
          )
        return yield* steps.store(bucket, back, "skips")
      })
    )
    return { count: returned.reduce((sum, ids) => sum + ids.size, 0), isWhole }
  })

  const giveBack = (options: {
    readonly dispatcher: DispatcherId
    readonly which: Unsent
    readonly at: DateTime.Utc
  }) => {
    const { at, dispatcher, which } = options
    const ids = uuids([...which.ids])
    const named = which._tag === "These" ? sql`= ANY (${ids})` : sql`<> ALL (${ids})`
    const meant = sql`
      q.dispatcher_id = ${uuid(dispatcher)} AND q.due_at > ${timeSqlAt(at).now}
      AND q.delivery_id ${named}`
    return Effect.map(returnFound(meant, { at, attempt: "unsent" }), ({ count }) => count)
  }

  const takeBack = Effect.fnUntraced(function* ({
    at,
    from
  }: {
    readonly from: Ended
    readonly at: DateTime.Utc
  }) {
    const hasEnded = (id: string): Fragment =>
      from._tag === "One"
        ? sql`${sql.literal(id)} = ${uuid(from.dispatcher)}`
        : sql`${sql.literal(id)} <> ${uuid(from.dispatcher)}`
    const { count, isWhole } = yield* returnFound(hasEnded("q.dispatcher_id"), { at, attempt: "made" })
    // Removed last: after an interruption before this, they are tried again, and what a node that is away has of theirs.
    if (isWhole) yield* sql`DELETE FROM webhook_dispatchers WHERE ${hasEnded("id")}`
    return count
  })

  const beat = Effect.fnUntraced(function* (dispatcher: DispatcherId) {
    const others = yield* decoded(BeatRow)(sql`
      -- One beat more of this dispatcher. The others learn from the number, and not from a clock, that it is alive.
      WITH beat AS (
        INSERT INTO webhook_dispatchers AS d (id, beats)
        VALUES (${uuid(dispatcher)}, 1)
        ON CONFLICT (id) DO UPDATE SET beats = d.beats + 1
      )
      SELECT id, beats FROM webhook_dispatchers WHERE id <> ${uuid(dispatcher)}`)
    return new Map(others.map(({ id, beats }) => [id, beats]))
  })

  return { giveBack, takeBack, beat }
})
