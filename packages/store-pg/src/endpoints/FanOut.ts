/**
 * Tells endpoints of changes that are noted in the outbox: finds notes, has them judged, and stores what follows if nobody
 * else has done so meanwhile. What the process' own dispatcher has a place for is handed over to it.
 */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import { toldBy } from "@runhook/core/domain/endpoint/Subscription"
import type { AccountId } from "@runhook/core/domain/Ids"
import type { EndpointStore, FannedOut } from "@runhook/core/ports/EndpointStore"
import { type AttemptStart, DeliveryInlets } from "@runhook/core/runtime/DeliveryInlets"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { forEachBucket } from "../accounts/EachBucket.ts"
import { nowGiven, StoreClock } from "../clock/StoreClock.ts"
import { makeLook } from "../database/Nodes.ts"
import { handOverWith } from "../deliveries/queue/HandOver.ts"
import { rowsOf } from "../rows/Rows.ts"
import { columnsOf, rowTable } from "../rows/RowTable.ts"
import { integer, smallint, uuid } from "../sql/Parameters.ts"
import { type NoteVerdict, makeJudgeNotes } from "./JudgeNotes.ts"
import { Note, type StoredItem, storeEvents } from "./StoreEvents.ts"

const noteTable = rowTable(columnsOf(Note, "o."), Note)

/** The outcome of an item: left to another process, stored, or stored with its delivery begun in its place. */
type Outcome = "left" | "stored" | AttemptStart

export const makeFanOut = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const clock = yield* StoreClock
  const look = yield* makeLook
  const judge = yield* makeJudgeNotes
  const inlets = yield* DeliveryInlets
  const handOver = handOverWith<NoteVerdict, Outcome, Delivery | null>({
    placeFor: ({ note, telling }) =>
      telling?.event && inlets.placeForEndpoint(telling.event, note.executionId),
    storedOf: deliveryOf,
    endingOf: (_, outcome) => (typeof outcome === "object" ? outcome : "freed")
  })

  const noted = (within: Fragment, limit: number) =>
    rowsOf(noteTable)(sql`
      SELECT ${sql.literal(noteTable.columns)}
      FROM endpoint_outbox o
      WHERE ${within}
      ORDER BY o.bucket, o.execution_id, o.revision
      LIMIT ${integer(limit)}`)

  const find = Effect.fnUntraced(function* (limit: number, accountId: AccountId | undefined) {
    if (accountId === undefined) return yield* look((within) => noted(within("o"), limit))
    const bucket = yield* buckets.of(accountId)
    return yield* noted(sql`o.bucket = ${smallint(bucket)} AND o.account_id = ${uuid(accountId)}`, limit)
  })

  /** Stores what was judged of a bucket, and answers the outcome of each item. */
  const store = (
    bucket: number,
    judged: ReadonlyArray<NoteVerdict>,
    options: { readonly at: DateTime.Utc; readonly locked: "skip" | "wait" }
  ) =>
    handOver(judged, (places) => {
      const items = judged.map((item) => ({ ...item, place: places.get(item) }))
      const call = { ...options, bucket, items, at: nowGiven(clock, options.at) }
      return Effect.map(storeEvents.call(sql, call), (rows) => {
        const byPlace = new Map(rows.map((row) => [row.place, row]))
        return new Map(judged.map((item, place) => [item, Exit.succeed(outcomeOf(byPlace.get(place + 1)))]))
      })
    })

  return Effect.fnUntraced(function* ({
    accountId,
    at,
    limit
  }: Parameters<EndpointStore["Service"]["fanOut"]>[0]) {
    const notes = yield* find(limit, accountId)
    const locked = accountId === undefined ? "skip" : "wait"
    const outcomes = yield* forEachBucket(notes, (bucket, ofBucket) =>
      Effect.flatMap(judge(bucket, ofBucket), (judged) => store(bucket, judged, { at, locked }))
    )
    const stored = outcomes.flatMap((ofBucket) =>
      [...ofBucket].flatMap(([{ telling }, exit]) =>
        Exit.isSuccess(exit) && exit.value !== "left" ? [{ telling, outcome: exit.value }] : []
      )
    )
    return {
      events: stored.flatMap(({ outcome, telling }) =>
        telling === null ? [] : [{ ...telling.event, isHandedOver: typeof outcome === "object" }]
      ),
      hasMore: notes.length >= limit || stored.length < outcomes.reduce((sum, { size }) => sum + size, 0)
    } satisfies FannedOut
  })
})

const outcomeOf = (row: typeof StoredItem.Type | undefined): Outcome => {
  if (row === undefined) return "left"
  return row.begunAt === null ? "stored" : { at: row.begunAt, behind: row.behind }
}

/** The new delivery of an item; null if nobody is told of it. */
const deliveryOf = ({ note, telling }: NoteVerdict): Delivery | null => {
  if (telling === null) return null
  const { at: updatedAt, executionId: id, revision } = note
  const execution = { ...telling, ...note, id, createdAt: telling.executionCreatedAt, updatedAt }
  return toldBy(note, { execution, revision }, telling.event)
}
