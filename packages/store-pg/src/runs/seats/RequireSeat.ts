/** Refuses an execution that is not to wait while others have or await all seats of its concurrency key. */
import type { Execution } from "@runhook/core/executions/Execution"
import { NoSeatLeft } from "@runhook/core/shared/Refusals"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../../accounts/Buckets.ts"
import { makeTimeSqlAt } from "../../clock/StoreClock.ts"
import { integer } from "../../sql/Parameters.ts"
import { decodedFirst } from "../../sql/SqlErrors.ts"
import { againAfter, type Key, makeSeatKeys } from "./SeatKeys.ts"

const CountRow = Schema.Struct({ count: Schema.Int })

export const makeRequireSeat = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const timeSqlAt = yield* makeTimeSqlAt
  const { ofKey, tryLock } = yield* makeSeatKeys

  /** Waits for others. A key that is pruned meanwhile is inserted again. */
  const lock = (of: Key, bucket: number) =>
    Effect.repeat(tryLock(of, bucket, "wait"), { until: (isLocked) => isLocked })

  /** How many of its executions have a seat, or are due and wait for one: at most `limit`. */
  const inUse = Effect.fnUntraced(function* (
    of: Key,
    { at, bucket, limit }: { readonly at: DateTime.Utc; readonly bucket: number; readonly limit: number }
  ) {
    const time = timeSqlAt(at)
    const row = yield* decodedFirst(CountRow)(sql`
      SELECT count(*)::integer AS count
      FROM (
        (SELECT FROM concurrency_seats s WHERE ${ofKey(of, bucket, "s")} AND NOT s.is_left LIMIT ${integer(limit)})
        UNION ALL
        (SELECT FROM concurrency_queue q WHERE ${ofKey(of, bucket, "q")} AND q.look_at IS NULL LIMIT ${integer(limit)})
        UNION ALL
        -- Among what nobody has looked at since it became due, of whatever key: that is little. Clocks of processes differ.
        (
          SELECT FROM (
            SELECT q.bucket, q.account_id, q.key FROM concurrency_queue q
            WHERE q.look_at <= ${time.after(Duration.times(againAfter, 2))} AND q.due_at <= ${time.now}
              AND ${buckets.within(bucket)("q")}
            OFFSET 0
          ) AS q
          WHERE ${ofKey(of, bucket, "q")}
          LIMIT ${integer(limit)}
        )
      ) AS n`)
    return Math.min(limit, row?.count ?? 0)
  })

  /**
   * Locks the key of an execution that is not to wait for a seat, so that no other is created beside it, and fails if
   * no seat is left. `beside` counts those that its caller is about to create.
   */
  return Effect.fnUntraced(function* (
    { accountId, concurrency, createdAt: at }: Execution,
    bucket: number,
    beside = 0
  ) {
    if (concurrency?.policy !== "reject") return
    const { key, limit } = concurrency
    yield* lock({ accountId, key }, bucket)
    const current = Math.min(limit, beside + (yield* inUse({ accountId, key }, { bucket, limit, at })))
    if (current >= limit) return yield* new NoSeatLeft({ limit, current })
  })
})
