/** Gives the free seats of concurrency keys to executions that are due and wait for them. */
import { AccountId, AgentId, ExecutionId } from "@runhook/core/shared/Ids"
import { earliest } from "@runhook/core/deliveries/claim/ClaimChoice"
import type { SweepRound } from "@runhook/core/sweeps/SweepStore"
import * as Array from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../../accounts/Buckets.ts"
import { byCallersClock, makeTimeSqlAt } from "../../clock/StoreClock.ts"
import { makeLook } from "../../database/Nodes.ts"
import { integer, smallint, uuids } from "../../sql/Parameters.ts"
import { decoded, decodedFirst } from "../../sql/SqlErrors.ts"
import { makeInTheWay } from "./InTheWay.ts"
import { againAfter, type Key, makeSeatKeys } from "./SeatKeys.ts"

/** Executions that one look finds due. */
const dueMax = 1_000

/** When it is looked at again whether what is to be cancelled for the sake of another has ended. */
const clearAfter = Duration.millis(100)

const keyFields = { accountId: AccountId, key: Schema.String }

/** A key of which a seat was left, or an execution of it that has become due. */
const FoundRow = Schema.Struct({ ...keyFields, id: Schema.NullOr(ExecutionId) })

const WaitingRow = Schema.Struct({
  id: ExecutionId,
  agentId: AgentId,
  seats: Schema.Int,
  seatRank: Schema.Int
})
const IdRow = Schema.Struct({ id: ExecutionId })
const TakenRow = Schema.Struct({ taken: Schema.Int, isCleared: Schema.Boolean })
const NextRow = Schema.Struct({ now: Schema.DateTimeUtc, nextDueAt: Schema.NullOr(Schema.DateTimeUtc) })

/** Where none cancels others. */
const nobody = { cancelled: new Map<ExecutionId, DateTime.Utc>(), cancelling: new Set<ExecutionId>() }

export const makeSeats = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const look = yield* makeLook
  const { ofKey, tryLock } = yield* makeSeatKeys
  const timeSqlAt = yield* makeTimeSqlAt
  const inTheWay = yield* makeInTheWay

  /** Those that cancel others, are due, and wait for these to end. */
  const isClearing = (of: Key, bucket: number, now: Fragment) => sql`
    ${ofKey(of, bucket, "q")} AND q.seat_rank = 0 AND q.due_at <= ${now} AND q.look_at < 'infinity'`

  /** How many of its executions have a seat, and whether others are being cancelled for one that waits. */
  const seatsTaken = Effect.fnUntraced(function* (of: Key, bucket: number, now: Fragment) {
    const row = yield* decodedFirst(TakenRow)(sql`
      SELECT
        (SELECT count(*)::integer FROM concurrency_seats s WHERE ${ofKey(of, bucket, "s")} AND NOT s.is_left) AS taken,
        EXISTS (SELECT FROM concurrency_queue q WHERE ${isClearing(of, bucket, now)}) AS "isCleared"`)
    return row ?? { taken: 0, isCleared: false }
  })

  /**
   * What is due and gets a seat of the key while so many are taken, in order, and the one behind it. Each is one probe
   * of the index, so a long queue is not read for one seat.
   */
  const dueOf = (of: Key, bucket: number, taken: number) => {
    const next = (after: Fragment) => sql`
      SELECT q.execution_id, q.agent_id, q.seats, q.seat_rank, q.rank, q.due_at
      FROM concurrency_queue q
      WHERE ${ofKey(of, bucket, "q")} AND q.look_at IS NULL ${after}
      ORDER BY q.seat_rank, q.rank, q.due_at, q.execution_id
      LIMIT 1`
    return decoded(WaitingRow)(sql`
      WITH RECURSIVE line AS (
        (SELECT 0 AS place, n.* FROM (${next(sql``)}) AS n)
        UNION ALL
        SELECT l.place + 1, n.*
        FROM line l
        CROSS JOIN LATERAL (
          ${next(sql`
            AND (q.seat_rank, q.rank, q.due_at, q.execution_id) > (l.seat_rank, l.rank, l.due_at, l.execution_id)`)}
        ) AS n
        WHERE ${integer(taken)} + l.place < l.seats
      )
      SELECT execution_id AS id, agent_id AS "agentId", seats, seat_rank AS "seatRank" FROM line ORDER BY place`)
  }

  /**
   * Gives seats of a key, in a transaction in which nobody else does, also to what has become due. Each statement sees
   * what was committed before it.
   */
  const giveOf = Effect.fnUntraced(function* (
    of: Key,
    { at, due }: { readonly at: DateTime.Utc; readonly due: ReadonlyArray<ExecutionId> }
  ) {
    const bucket = yield* buckets.of(of.accountId)
    const nothing = { keys: 0, seated: [], inTheWay: [] }
    if (!(yield* tryLock(of, bucket, "skip"))) return nothing
    const { now } = timeSqlAt(at)
    yield* sql`DELETE FROM concurrency_seats s WHERE ${ofKey(of, bucket, "s")} AND s.is_left`
    if (due.length > 0) {
      yield* sql`
        UPDATE concurrency_queue q
        SET look_at = NULL
        WHERE q.bucket = ${smallint(bucket)} AND q.execution_id = ANY (${uuids(due)}) AND q.look_at <= ${now}`
    }
    const { isCleared, taken } = yield* seatsTaken(of, bucket, now)
    // They go first, also before the next look for their sake.
    if (isCleared)
      yield* sql`UPDATE concurrency_queue q SET look_at = NULL WHERE ${isClearing(of, bucket, now)}`
    const waiting = yield* dueOf(of, bucket, taken)
    const { cancelled, cancelling } =
      waiting[0]?.seatRank === 0 ? yield* inTheWay(bucket, (table) => ofKey(of, bucket, table)) : nobody
    const firstLeft = waiting.findIndex(
      ({ id, seats }, place) => taken + place >= seats || cancelling.has(id)
    )
    const fitting = (firstLeft < 0 ? waiting : waiting.slice(0, firstLeft)).filter(
      ({ id }) => !cancelled.has(id)
    )
    const seated = fitting.length === 0 ? [] : yield* seat(bucket, fitting)
    const lookAgain = (ids: ReadonlyArray<ExecutionId>, after: Duration.Duration) => sql`
      UPDATE concurrency_queue q
      SET look_at = ${timeSqlAt(at).after(after)}
      WHERE q.bucket = ${smallint(bucket)} AND q.execution_id = ANY (${uuids(ids)})`
    const missed = fitting.filter(({ id }) => !seated.some((each) => each.id === id))
    if (missed.length > 0)
      yield* lookAgain(
        missed.map(({ id }) => id),
        againAfter
      )
    if (cancelling.size > 0) yield* lookAgain([...cancelling], clearAfter)
    return {
      keys: 1,
      seated: seated.map(({ agentId }) => ({ accountId: of.accountId, agentId })),
      inTheWay: Array.fromIterable(cancelled).map(([id, since]) => ({ accountId: of.accountId, id, since }))
    }
  })

  /**
   * Seats them; answers those that nobody else was moving. A run is locked before its row of a queue is removed. One that
   * has left its seat since those that were left were dropped takes it again.
   */
  const seat = Effect.fnUntraced(function* (bucket: number, fitting: ReadonlyArray<typeof WaitingRow.Type>) {
    const locked = yield* decoded(IdRow)(sql`
      SELECT e.id FROM executions e
      WHERE e.bucket = ${smallint(bucket)} AND e.id = ANY (${uuids(fitting.map(({ id }) => id))})
        AND e.status = 'queued' AND e.slot IS NULL
      FOR UPDATE SKIP LOCKED`)
    const ids = new Set(locked.map(({ id }) => id))
    const seated = fitting.filter(({ id }) => ids.has(id))
    if (seated.length === 0) return seated
    const asked = uuids(seated.map(({ id }) => id))
    yield* sql`
      INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
      SELECT q.bucket, q.agent_id, q.rank, q.due_at, q.execution_id
      FROM concurrency_queue q
      WHERE q.bucket = ${smallint(bucket)} AND q.execution_id = ANY (${asked})`
    yield* sql`
      INSERT INTO concurrency_seats (bucket, account_id, key, execution_id)
      SELECT q.bucket, q.account_id, q.key, q.execution_id
      FROM concurrency_queue q
      WHERE q.bucket = ${smallint(bucket)} AND q.execution_id = ANY (${asked})
      ON CONFLICT (bucket, execution_id) DO UPDATE SET is_left = FALSE`
    yield* sql`
      DELETE FROM concurrency_queue q WHERE q.bucket = ${smallint(bucket)} AND q.execution_id = ANY (${asked})`
    return seated
  })

  const giveSeats = Effect.fnUntraced(function* ({ at, limit }: SweepRound) {
    const { now } = timeSqlAt(at)
    const { found } = yield* look((within) =>
      decoded(FoundRow)(sql`
        (
          SELECT s.account_id AS "accountId", s.key, NULL::uuid AS id
          FROM concurrency_seats s
          WHERE s.is_left AND ${within("s")}
          LIMIT ${integer(limit)}
        )
        UNION ALL
        (
          SELECT q.account_id, q.key, q.execution_id
          FROM concurrency_queue q
          WHERE q.look_at <= ${now} AND ${within("q")}
          ORDER BY q.look_at, q.execution_id
          LIMIT ${integer(dueMax)}
        )`)
    )
    const keys = Object.values(Array.groupBy(found, ({ accountId, key }) => `${accountId} ${key}`))
    const given = yield* Effect.forEach(keys.slice(0, limit), (rows) =>
      sql.withTransaction(giveOf(rows[0], { at, due: rows.flatMap(({ id }) => id ?? []) }))
    )
    return {
      keys: given.reduce((sum, each) => sum + each.keys, 0),
      seated: given.flatMap((each) => each.seated),
      inTheWay: given.flatMap((each) => each.inTheWay)
    }
  })

  const nextSeatAt = Effect.fnUntraced(function* (at: DateTime.Utc) {
    const { now } = timeSqlAt(at)
    const { found } = yield* look((within) =>
      decoded(NextRow)(sql`
        SELECT ${now} AS now, min(n.at) AS "nextDueAt"
        FROM (
          (SELECT ${now} AS at FROM concurrency_seats s WHERE s.is_left AND ${within("s")} LIMIT 1)
          UNION ALL
          SELECT min(q.look_at) FROM concurrency_queue q WHERE q.look_at < 'infinity' AND ${within("q")}
        ) AS n`)
    )
    const next = found.flatMap(({ nextDueAt }) => nextDueAt ?? [])
    return byCallersClock(earliest(next), { now: found[0]?.now ?? at, at })
  })

  return { giveSeats, nextSeatAt }
})
