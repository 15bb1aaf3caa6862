/**
 * Tells endpoints of changes that are noted in the outbox: finds notes, has them judged, and stores what follows if nobody
 * else has done so meanwhile. What the process' own dispatcher has a place for is handed over to it.
 */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { toldBy } from "@runhook/core/endpoints/Subscription"
import { ExecutionId } from "@runhook/core/shared/Ids"
import type { EndpointStore, FannedOut, FannedOutEvent } from "@runhook/core/endpoints/EndpointStore"
import { absenceIn } from "@runhook/core/engine/StoreUnavailable"
import { type AttemptStart, DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import * as Array from "effect/Array"
import type * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { forEachBucket } from "../accounts/EachBucket.ts"
import { nowGiven, StoreClock } from "../clock/StoreClock.ts"
import { makeLook } from "../database/Nodes.ts"
import { handOverWith } from "../deliveries/queue/HandOver.ts"
import { storeRecovering } from "../engine/BatchRecovery.ts"
import type { Group } from "../engine/GroupCommit.ts"
import { rowsOf } from "../rows/Rows.ts"
import { columnsOf, rowTable } from "../rows/RowTable.ts"
import { integer, smallint, uuid, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { type NoteVerdict, makeJudgeNotes } from "./JudgeNotes.ts"
import { Note, type StoredItem, storeEvents } from "./StoreEvents.ts"

const noteTable = rowTable(columnsOf(Note, "o."), Note)

type FanOutOptions = Parameters<EndpointStore["Service"]["fanOut"]>[0]

/**
 * The outcome of an item: left to another process, stored, stored with its delivery begun in its place, or stored before
 * a connection was lost, by this process or another.
 */
type Outcome = "left" | "stored" | "found" | AttemptStart

/** What is judged of one execution: stored in the order of its changes, or not at all. */
type OfExecution = Array.NonEmptyReadonlyArray<NoteVerdict>

/** When a change is tried again that the database has refused. */
const againAfter = Duration.minutes(1)

const LeftRow = Schema.Struct({ id: ExecutionId })

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
    endingOf: (_, outcome) => {
      if (outcome === "found") return "doubted"
      return typeof outcome === "object" ? outcome : "freed"
    }
  })
  /** Executions with a change that the database has refused, and until when they are passed by. */
  const refused = new Map<ExecutionId, DateTime.Utc>()

  const noted = (within: Fragment, limit: number) =>
    rowsOf(noteTable)(sql`
      SELECT ${sql.literal(noteTable.columns)}
      FROM endpoint_outbox o
      WHERE ${within}
      ORDER BY o.bucket, o.execution_id, o.revision
      LIMIT ${integer(limit)}`)

  const find = Effect.fnUntraced(function* ({ accountId, at, limit }: FanOutOptions) {
    for (const [id, until] of refused) if (DateTime.isLessThanOrEqualTo(until, at)) refused.delete(id)
    const isMeant =
      refused.size === 0 ? sql`TRUE` : sql`o.execution_id <> ALL (${uuids([...refused.keys()])})`
    if (accountId === undefined)
      return (yield* look((within) => noted(sql`${within("o")} AND ${isMeant}`, limit))).found
    const bucket = yield* buckets.of(accountId)
    const own = sql`o.bucket = ${smallint(bucket)} AND o.account_id = ${uuid(accountId)}`
    return yield* noted(sql`${own} AND ${isMeant}`, limit)
  })

  /** Of the executions those that nothing judged is left of, in a database whose connection was lost. */
  const stored = ({ bucket, items }: Group<OfExecution>) =>
    Effect.map(
      decoded(LeftRow)(sql`
        SELECT DISTINCT o.execution_id AS id
        FROM endpoint_outbox o
        JOIN ${rows("judged", items.flat(), { id: uuid(({ note }) => note.executionId), revision: integer(({ note }) => note.revision) })}
          ON judged.id = o.execution_id AND judged.revision = o.revision
        WHERE o.bucket = ${smallint(bucket)}`),
      (left) => {
        const ids = new Set(left.map(({ id }) => id))
        const gone = items.filter(([{ note }]) => !ids.has(note.executionId))
        return new Map(gone.map((item) => [item, item.map((): Outcome => "found")]))
      }
    )

  /** Stores what was judged of a bucket, and answers the outcome of each item. */
  const store = (bucket: number, judged: ReadonlyArray<NoteVerdict>, { accountId, at }: FanOutOptions) =>
    handOver(judged, (places) => {
      const send = ({ items }: Group<OfExecution>) => {
        const all = items.flat()
        const locked = accountId === undefined ? "skip" : "wait"
        const placed = all.map((item) => ({ ...item, place: places.get(item) }))
        const call = storeEvents.call(sql, { bucket, items: placed, locked, at: nowGiven(clock, at) })
        return Effect.map(call, (answered) => {
          const byPlace = new Map(answered.map((row) => [row.place, row]))
          const outcomes = new Map(all.map((item, place) => [item, outcomeOf(byPlace.get(place + 1))]))
          return new Map(items.map((item) => [item, item.map((each) => outcomes.get(each) ?? "left")]))
        })
      }
      const items = Object.values(Array.groupBy(judged, ({ note }) => note.executionId))
      return Effect.map(storeRecovering({ store: send, stored })({ bucket, items }), (exits) => {
        const ofItems = [...exits].flatMap(([item, exit]) =>
          item.map((each, place) => [each, Exit.map(exit, (outcomes) => outcomes[place] ?? "left")] as const)
        )
        return new Map(ofItems)
      })
    })

  /** Passes by what the database has refused. */
  const passBy = Effect.fnUntraced(function* (
    { executionId }: Note,
    cause: Cause.Cause<never>,
    at: DateTime.Utc
  ) {
    if (absenceIn(cause) !== undefined) return yield* Effect.failCause(cause)
    if (refused.has(executionId)) return
    refused.set(executionId, DateTime.addDuration(at, againAfter))
    yield* Effect.logError(`Endpoints cannot be told of execution ${executionId}, which is passed by`, cause)
  })

  return Effect.fnUntraced(function* (options: FanOutOptions) {
    const { at, limit } = options
    const notes = yield* find(options)
    const outcomes = yield* forEachBucket(notes, (bucket, ofBucket) =>
      Effect.flatMap(judge(bucket, ofBucket), (judged) => store(bucket, judged, options))
    )
    const all = outcomes.flatMap((ofBucket) => [...ofBucket])
    const events: globalThis.Array<FannedOutEvent> = []
    let hasMore = notes.length >= limit
    for (const [{ note, telling }, exit] of all) {
      if (Exit.isFailure(exit)) yield* passBy(note, exit.cause, at)
      else if (exit.value === "left") hasMore = true
      else if (telling !== null)
        events.push({ ...telling.event, isHandedOver: typeof exit.value === "object" })
    }
    return { events, hasMore } satisfies FannedOut
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
