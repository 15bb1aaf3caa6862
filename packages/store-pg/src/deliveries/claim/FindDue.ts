/**
 * The statements that find what may be claimed, over all buckets and without a
 * lock: which of it is, the core chooses. While little waits, all of it is read.
 * Otherwise a walk goes from receiver to receiver along the key of the queue and
 * reads from each no more than there is room for: half a million deliveries for
 * a receiver that is down cost as much as one.
 */
import { pollScheme } from "@runhook/core/deliveries/Delivery"
import { receiverKey, recoverySeconds } from "@runhook/core/deliveries/claim/Receiver"
import { AccountId, EventId } from "@runhook/core/shared/Ids"
import type { ClaimRoom } from "@runhook/core/deliveries/claim/ClaimRoom"
import * as Arr from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Clock, StoreClock } from "../../clock/StoreClock.ts"
import { SqlClient } from "effect/sql/SqlClient"
import { fixedTimeSql } from "../../clock/FixedTimeSql.ts"
import { bucketCount } from "../../accounts/Buckets.ts"
import { isLost } from "../../database/Nodes.ts"
import { makeShards } from "../../database/Shards.ts"
import { rowsOf } from "../../rows/Rows.ts"
import { rowTable } from "../../rows/RowTable.ts"
import { boolean, integer, integers, jsonb, smallint, text, uuid } from "../../sql/Parameters.ts"
import { type Fixed, fixed, statement } from "../../sql/Statement.ts"

const Stop = Schema.Struct({
  bucket: Schema.Int,
  accountId: AccountId,
  origin: Schema.String,
  isRetry: Schema.Boolean
})
/** The retries of a receiver, or its first attempts. */
export type Stop = typeof Stop.Type

/** A place in the queue with its receiver, or a stop where none may be claimed. */
const FoundRow = Schema.Struct({
  ...Stop.fields,
  /** The moment of the look. */
  now: Schema.DateTimeUtc,
  openings: Schema.Int,
  heldUntil: Schema.NullOr(Schema.DateTimeUtc),
  closedAt: Schema.NullOr(Schema.DateTimeUtc),
  dueAt: Schema.NullOr(Schema.DateTimeUtc),
  id: Schema.NullOr(EventId),
  isTried: Schema.Boolean,
  /** Whether more waits than is read at once. */
  isTooMuch: Schema.Boolean
})
export type FoundRow = typeof FoundRow.Type

export type Place = FoundRow & { readonly dueAt: DateTime.Utc; readonly id: EventId }

export const isPlace = (row: FoundRow): row is Place => row.id !== null

export const foundTable = rowTable(
  {
    bucket: "s.bucket",
    accountId: "s.account_id",
    origin: "s.origin",
    isRetry: "s.is_retry",
    now: "s.now",
    openings: "coalesce(r.openings, 0)",
    heldUntil: "r.held_until",
    closedAt: "r.closed_at",
    dueAt: "q.due_at",
    id: "q.delivery_id",
    isTried: "s.is_tried",
    isTooMuch: "s.is_too_much"
  },
  FoundRow
)
export const foundRows = rowsOf(foundTable)

/** Places that are read at once. */
export const fewMax = 256

/** Rows of one walk. If there are as many, the next look goes on from the last. */
export const rowsMax = 2_000

/** Before every receiver. */
export const start: Stop = {
  bucket: -1,
  accountId: AccountId.make("00000000-0000-0000-0000-000000000000"),
  origin: "",
  isRetry: false
}

interface Asked {
  readonly room: ClaimRoom
  readonly at: DateTime.Utc
  /** Where the walk begins: behind this stop. */
  readonly after: Stop
  /** Those that it keeps to, if it does. */
  readonly buckets?: ReadonlyArray<number>
}

const ofWalk = integers(({ buckets }: Pick<Asked, "buckets">) => buckets ?? null)

/** Of the accounts and receivers that have another room than the default, by their names. */
const rooms = jsonb(({ room }: Asked) =>
  JSON.stringify(
    Object.fromEntries([
      ...room.accounts,
      ...room.receivers.map((receiver) => [receiverKey(receiver), receiver.room] as const)
    ])
  )
)

/** Of all buckets in one walk, or of those of a shard: Citus takes no walk over all. */
type Reach = "all" | "shard"

/** The buckets of a table, where a walk keeps to some. */
const within = (reach: Reach, table: string): Fixed<Pick<Asked, "buckets">> =>
  reach === "all" ? fixed`` : fixed` AND ${table}.bucket = ANY (${ofWalk})`

/** The state of the receiver of a relation `s`. */
const ofReceiver = (reach: Reach) => fixed<Pick<Asked, "buckets">>`
  LEFT JOIN LATERAL (
    SELECT * FROM webhook_receivers r
    WHERE r.bucket = s.bucket${within(reach, "r")} AND r.account_id = s.account_id AND r.origin = s.origin
    LIMIT 1
  ) AS r ON TRUE`

const key = (table: string): string =>
  `${table}.bucket, ${table}.account_id, ${table}.origin, ${table}.is_retry`

/** The second of the recovery in which a delivery comes forward: `sliceOf`, in SQL. */
const slice = `('x' || right(q.delivery_id::text, 4))::bit(16)::integer % ${recoverySeconds} * interval '1 second'`

/** Whether its places are for dispatchers: others are fetched by their receivers. */
const isSent = (table: string): string => `${table}.origin < '${pollScheme}'`

/** The columns where each stop `s` has its place. */
const ofPlaces = foundTable.columns.replaceAll("q.", "s.")

/**
 * Finds all that waits, over all buckets, if it is little.
 *
 * - **Answers** a row for each place that is not being sent; one that says so if
 *   there are more places than it reads.
 * - **Locks** nothing.
 */
export const findFew = (clock: Clock) =>
  statement(fixed<Pick<Asked, "at" | "buckets">>`
    SELECT ${ofPlaces}
    FROM (
      SELECT *, row_number() OVER (ORDER BY ${key("q")}, q.due_at, q.delivery_id) > ${fewMax} AS is_too_much
      FROM (SELECT *, ${fixedTimeSql(clock).now} AS now FROM webhook_queue) AS q
      ORDER BY ${key("q")}, q.due_at, q.delivery_id
      LIMIT ${fewMax + 1}
    ) AS s${ofReceiver("all")}
    -- What is being sent is looked at when its lease has ended.
    WHERE s.is_too_much OR ((s.due_at <= s.now OR s.dispatcher_id IS NULL) AND ${isSent("s")})`)

/**
 * Finds the same on all nodes of a distributed database at once, which takes no count of rows: a reader that gets
 * more than `fewMax` has read too much. What is being sent is not among them.
 */
export const findFewOnNodes = (clock: Clock) =>
  statement(fixed<Pick<Asked, "at">>`
    SELECT ${ofPlaces}
    FROM (SELECT *, ${fixedTimeSql(clock).now} AS now, FALSE AS is_too_much FROM webhook_queue) AS s
    LEFT JOIN webhook_receivers r
      ON r.bucket = s.bucket AND r.account_id = s.account_id AND r.origin = s.origin
    WHERE (s.due_at <= s.now OR s.dispatcher_id IS NULL) AND ${isSent("s")}
    ORDER BY ${key("s")}, s.due_at, s.delivery_id
    LIMIT ${fewMax + 1}`)

/**
 * Finds what a claim chooses from, over all buckets, however much that is.
 *
 * - **Answers** a row for each place that may be chosen or is due next, and one
 *   for each stop without such a place; first those that somebody wants tried,
 *   then stop by stop.
 * - **Locks** nothing, so what it finds may be gone by the time it is leased.
 * - **May be missing**: what comes behind `rowsMax`, what waits for its second of
 *   a recovery, and all that is beyond the room of the claimer.
 */
export const walkDue = (clock: Clock, reach: Reach = "all") => {
  const { now } = fixedTimeSql(clock)
  return statement(fixed<Asked>`
    -- The stops with something in the queue, one by one: each step is one probe of the index, for the first key behind the
    -- last one. The walk goes no further than it is read.
    WITH RECURSIVE walk AS (
      (
        SELECT ${key("q")}, ${now} AS now, FALSE AS is_tried, TRUE AS is_too_much
        FROM webhook_queue q
        WHERE (${key("q")}) > (
          ${smallint(({ after }: Asked) => after.bucket)}, ${uuid(({ after }: Asked) => after.accountId)},
          ${text(({ after }: Asked) => after.origin)}, ${boolean(({ after }: Asked) => after.isRetry)}
        )${within(reach, "q")}
        ORDER BY ${key("q")}
        LIMIT 1
      )
      UNION ALL
      SELECT next.*, s.now, FALSE, TRUE
      FROM walk s
      CROSS JOIN LATERAL (
        SELECT ${key("q")}
        FROM webhook_queue q
        WHERE (${key("q")}) > (${key("s")})${within(reach, "q")}
        ORDER BY ${key("q")}
        LIMIT 1
      ) AS next
    ),
    -- Those that somebody wants tried are few and have an index.
    tried AS (
      SELECT ${key("q")}, ${now} AS now, q.is_tried, TRUE AS is_too_much, q.due_at, q.delivery_id
      FROM webhook_queue q
      WHERE q.is_tried AND ${isSent("q")}${within(reach, "q")}
      ORDER BY q.due_at, q.delivery_id
      LIMIT ${rowsMax}
    )
    SELECT ${ofPlaces}
    FROM tried s${ofReceiver(reach)}
    UNION ALL
    (
      SELECT ${foundTable.columns}
      FROM walk s${ofReceiver(reach)}
      -- Of each no more than there is room for, and that is one where its receiver is held or to be probed; after its breaker
      -- has closed, those whose second of the recovery has come.
      LEFT JOIN LATERAL (
        SELECT q.due_at, q.delivery_id
        FROM webhook_queue q
        WHERE (${key("q")}) = (${key("s")})${within(reach, "q")} AND NOT q.is_tried AND ${isSent("s")}
          AND (r.closed_at IS NULL OR q.due_at > r.closed_at OR r.closed_at + ${slice} <= s.now)
        ORDER BY q.due_at, q.delivery_id
        LIMIT greatest(0, least(
          ${integer(({ room }: Asked) => room.total + 1)},
          coalesce((${rooms} ->> (s.account_id || ' ' || s.origin))::integer, ${integer(({ room }: Asked) => room.receiver)}),
          coalesce((${rooms} ->> s.account_id::text)::integer, ${integer(({ room }: Asked) => room.account)}),
          CASE WHEN s.is_retry THEN ${integer(({ room }: Asked) => room.retries)} END,
          CASE WHEN r.openings > 0 OR r.held_until > s.now THEN 1 END
        ))
      ) AS q ON TRUE
      LIMIT ${rowsMax}
    )`)
}

/** Shards that are walked at once. */
const shardsAtOnce = 8

/** Behind every receiver. */
const end: Stop = { ...start, bucket: bucketCount }

/**
 * Finds the same by a walk in each shard, one after the other, where no walk goes over all. Those that were walked
 * before the stop are only asked for what somebody wants tried, and those of a node that is away for nothing.
 */
export const makeWalkShards = Effect.gen(function* () {
  const sql = yield* SqlClient
  const walk = walkDue(yield* StoreClock, "shard")
  const [shards, forget] = yield* makeShards

  return Effect.fnUntraced(
    function* (asked: Asked) {
      const all = yield* shards
      const place = all.findIndex(({ buckets }) => buckets.includes(asked.after.bucket))
      const walks = all.map(({ buckets }, other) => {
        const after = other < place ? end : other === place ? asked.after : start
        return foundRows(walk(sql, { ...asked, buckets, after })).pipe(
          Effect.catchIf(isLost, () => Effect.succeed([]))
        )
      })
      const rows: Array<FoundRow> = []
      for (const some of Arr.chunksOf(walks, shardsAtOnce)) {
        const found = yield* Effect.all(some, { concurrency: "unbounded" })
        for (const ofShard of found) {
          rows.push(...ofShard)
          if (rows.filter(({ isTried }) => !isTried).length >= rowsMax) return rows
        }
      }
      return rows
    },
    // A shard may have been split: a walk over two is refused.
    Effect.tapError(() => forget)
  )
})
