/** The messages of poll endpoints: deliveries whose places in the queue no dispatcher takes. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { streamOf } from "@runhook/core/deliveries/Delivery"
import type { ClaimStep, DueDelivery } from "@runhook/core/deliveries/steps/DeliverySteps"
import { fetchDue, isFetchNews } from "@runhook/core/endpoints/Messages"
import { EndpointId, EventId } from "@runhook/core/shared/Ids"
import { textBytes } from "@runhook/core/shared/json/JsonBytes"
import { itemBytes } from "@runhook/core/shared/Page"
import { CallbackOrder } from "@runhook/core/deliveries/DeliveryStore"
import type { Fetched, Mailbox } from "@runhook/core/endpoints/EndpointStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { byCallersClock, makeTimeSqlAt } from "../clock/StoreClock.ts"
import { summaryTable } from "../deliveries/DeliveryRow.ts"
import { makeLookByBucket } from "../database/Nodes.ts"
import { makeReleaseHeldBack } from "../deliveries/settle/ReleaseHeldBack.ts"
import { executionOf, makeReadTurns, readWhole, wholeRows } from "../deliveries/steps/ReadDeliveries.ts"
import { DeliverySteps } from "../deliveries/steps/DeliverySteps.ts"
import { rowsOf } from "../rows/Rows.ts"
import { integer, integers, smallint, text, texts, timestamptz, uuid, uuids } from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"

/** A place in the queue, by the clock of the store: `now` is when it was read. */
export const PlaceRow = Schema.Struct({ id: EventId, dueAt: Schema.DateTimeUtc, now: Schema.DateTimeUtc })
export type Place = typeof PlaceRow.Type

const isDue = ({ dueAt, now }: Place): boolean => DateTime.isLessThanOrEqualTo(dueAt, now)

const ChangedRow = Schema.Struct({ id: EndpointId })

/** Looks of one fetch, while all that they find has expired or waits its turn. */
const looksMax = 8

type Judge = (due: ReadonlyArray<DueDelivery>, at: DateTime.Utc) => ReadonlyArray<ClaimStep>

export type Mailboxes = Effect.Success<typeof makeMailboxes>

export const makeMailboxes = Effect.gen(function* () {
  const steps = yield* DeliverySteps
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const order = yield* CallbackOrder
  const timeSqlAt = yield* makeTimeSqlAt
  const lookByBucket = yield* makeLookByBucket
  const readTurns = yield* makeReadTurns
  const releaseHeldBack = yield* makeReleaseHeldBack

  const inMailbox = Effect.fnUntraced(function* ({ accountId, url }: Pick<Mailbox, "accountId" | "url">) {
    const bucket = yield* buckets.of(accountId)
    const own = sql`q.bucket = ${smallint(bucket)} AND q.account_id = ${uuid(accountId)} AND q.origin = ${text(url)}`
    return { bucket, own }
  })

  /** The first places of a mailbox, due or not, first attempts and others: each is a range of the key. */
  const firstPlaces = Effect.fnUntraced(function* (
    mailbox: Pick<Mailbox, "accountId" | "url">,
    { at, limit }: { readonly at: DateTime.Utc; readonly limit: number }
  ) {
    const { own } = yield* inMailbox(mailbox)
    const ofKind = (isRetry: boolean) => sql`(
      SELECT q.delivery_id, q.due_at FROM webhook_queue q
      WHERE ${own} AND q.is_retry = ${sql.literal(isRetry ? "TRUE" : "FALSE")}
      ORDER BY q.due_at, q.delivery_id
      LIMIT ${integer(limit)}
    )`
    return yield* decoded(PlaceRow)(sql`
      SELECT q.delivery_id AS id, q.due_at AS "dueAt", ${timeSqlAt(at).now}::timestamptz AS now
      FROM (${ofKind(false)} UNION ALL ${ofKind(true)}) AS q
      ORDER BY q.due_at, q.delivery_id
      LIMIT ${integer(limit)}`)
  })

  /** Reads messages, lets them be judged, and stores that; answers the outcomes of those that no other process had taken. */
  const take = Effect.fnUntraced(function* (
    { accountId }: Pick<Mailbox, "accountId">,
    found: ReadonlyArray<Place>,
    options: {
      readonly at: DateTime.Utc
      readonly bytesMax: number
      readonly judge: Judge
      /** Also what is not due. */
      readonly isAll?: boolean
    }
  ) {
    const [first] = found
    if (first === undefined) return []
    const bucket = yield* buckets.of(accountId)
    const keys = found.map(({ id }) => ({ accountId, id }))
    const rows = new Map((yield* wholeRows(readWhole(sql, { bucket, keys }))).map((row) => [row[0].id, row]))
    const there = found.flatMap(({ id }) => {
      const row = rows.get(id)
      const dueAt = row?.[0].nextAttemptAt ?? null
      if (row === undefined || dueAt === null) return []
      return options.isAll === true || DateTime.isLessThanOrEqualTo(dueAt, first.now) ? [row] : []
    })
    const fitting = firstOfSize(there, options.bytesMax)
    const turns = yield* readTurns(fitting.flatMap(([delivery]) => executionOf(bucket, delivery)))
    const due = fitting.map(([delivery, receiver]) => ({
      delivery,
      isTried: false,
      receiver,
      turns: turns.get(streamOf(delivery)) ?? []
    }))
    const judged = options.judge(due, first.now)
    const stored = yield* steps.store(bucket, judged, "skips")
    const taken = judged.filter(({ before }) => stored.has(before.id))
    const ended = taken.flatMap(({ before, isGivenOut }) => (isGivenOut ? [] : executionOf(bucket, before)))
    yield* releaseHeldBack(ended, options.at)
    return taken
  })

  const noteFetch = Effect.fnUntraced(function* ({ accountId, id }: Mailbox, at: DateTime.Utc) {
    yield* sql`
      UPDATE webhook_endpoints
      SET fetched_at = ${timestamptz(at)}
      WHERE bucket = ${smallint(yield* buckets.of(accountId))} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}
        AND extract(epoch FROM ${timestamptz(at)} - coalesce(fetched_at, created_at)) * 4 >= remove_after_seconds`
  })

  const fetch = Effect.fnUntraced(function* (
    mailbox: Mailbox,
    { at, bytesMax, limit }: { readonly limit: number; readonly bytesMax: number; readonly at: DateTime.Utc }
  ) {
    if (isFetchNews(mailbox, at)) yield* noteFetch(mailbox, at)
    // Most polls find nothing, by this alone.
    let places = yield* firstPlaces(mailbox, { at, limit })
    let messages: ReadonlyArray<Delivery> = []
    const judge: Judge = (due, now) => fetchDue(due, { at: now, order })
    for (let look = 0; look < looksMax && messages.length === 0 && places.some(isDue); look++) {
      const taken = yield* take(mailbox, places.filter(isDue), { at, bytesMax, judge })
      messages = taken.flatMap(({ after, isGivenOut }) => (isGivenOut ? [after] : []))
      places = yield* firstPlaces(mailbox, { at, limit })
    }
    const [next] = places
    const nextDueAt = next === undefined ? null : byCallersClock(next.dueAt, { at, now: next.now })
    return { messages, nextDueAt } satisfies Fetched
  })

  const given = Effect.fnUntraced(function* ({ accountId, id }: Mailbox, ids: ReadonlyArray<EventId>) {
    return yield* rowsOf(summaryTable)(sql`
      SELECT ${sql.literal(summaryTable.columns)}
      FROM webhook_deliveries d
      WHERE d.bucket = ${smallint(yield* buckets.of(accountId))} AND d.account_id = ${uuid(accountId)}
        AND d.id = ANY (${uuids(ids)}) AND d.endpoint_id = ${uuid(id)} AND d.state = 'pending' AND d.attempts > 0`)
  })

  const changed = Effect.fnUntraced(function* (mailboxes: ReadonlyArray<Mailbox>, at: DateTime.Utc) {
    const placed = yield* buckets.placed(mailboxes)
    // A thousand polls wait together: in a bucket each, they would be a statement each.
    const found = yield* lookByBucket(
      placed,
      (within, some) =>
        decoded(ChangedRow)(sql`
        SELECT asked.id
        FROM unnest(
          ${integers(some.map(({ bucket }) => bucket))}, ${uuids(some.map(({ id }) => id))},
          ${uuids(some.map(({ accountId }) => accountId))}, ${texts(some.map(({ url }) => url))}
        ) AS asked (bucket, id, account_id, url)
        WHERE EXISTS (
          SELECT FROM webhook_queue q
          WHERE q.bucket = asked.bucket AND ${within("q")} AND q.account_id = asked.account_id AND q.origin = asked.url
            AND q.is_retry IN (FALSE, TRUE) AND q.due_at <= ${timeSqlAt(at).now}
          OFFSET 0
        ) OR NOT EXISTS (
          SELECT FROM webhook_endpoints p
          WHERE p.bucket = asked.bucket AND ${within("p")} AND p.account_id = asked.account_id AND p.id = asked.id
            AND p.removed_at IS NULL
          OFFSET 0
        )`),
      (lost) => lost
    )
    return found.map(({ id }) => id)
  })

  return { changed, fetch, firstPlaces, given, take }
})

/** As many as have room; the first one always. */
const firstOfSize = <Row extends readonly [Delivery, unknown]>(
  rows: ReadonlyArray<Row>,
  bytesMax: number
): ReadonlyArray<Row> => {
  let bytes = 0
  const end = rows.findIndex(([{ body }], place) => {
    bytes += itemBytes + textBytes(body)
    return place > 0 && bytes > bytesMax
  })
  return end < 0 ? rows : rows.slice(0, end)
}
