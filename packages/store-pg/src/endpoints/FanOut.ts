/**
 * Tells endpoints of changes that are noted in the outbox. What is told is judged first. It is stored then, and the
 * notes deleted, if nobody else is at them: so nothing is locked while the process thinks.
 */
import { isToldOf } from "@runhook/core/domain/endpoint/Subscription"
import { AgentId, EventId, ExecutionId, newId, TaskId } from "@runhook/core/domain/Ids"
import type { FannedOut } from "@runhook/core/ports/EndpointStore"
import * as Array from "effect/Array"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Struct from "effect/Struct"
import { forEachBucket } from "../accounts/EachBucket.ts"
import { makeLook } from "../database/Nodes.ts"
import { columnsOf, rowTable } from "../rows/RowTable.ts"
import { rowsOf } from "../rows/Rows.ts"
import { integer, smallint, uuid, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { makeListeners } from "./Listeners.ts"
import { Note, queueDeliveries, storeDeliveries, type Telling } from "./StoreEvents.ts"

const noteTable = rowTable(columnsOf(Note, "o."), Note)

const NoteKey = Schema.Struct(Struct.pick(Note.fields, ["executionId", "revision"]))
const noteKeyTable = rowTable(columnsOf(NoteKey, "o."), NoteKey)

/** What an event says of its execution, and endpoints choose it by, beside the note. */
const Request = Schema.Struct({
  id: ExecutionId,
  agentId: AgentId,
  taskId: TaskId,
  requestId: Schema.String,
  reference: Schema.String
})
const requestTable = rowTable(columnsOf(Request, "r."), Request)

/** A note, and what is told of it. */
interface Announcement {
  readonly note: Note
  readonly tellings: ReadonlyArray<Telling>
}

export const makeFanOut = Effect.gen(function* () {
  const sql = yield* SqlClient
  const look = yield* makeLook
  const listenersOf = yield* makeListeners
  const random = yield* SecureRandom
  const nextEventId = Effect.provideService(newId(EventId), SecureRandom, random)

  const find = (limit: number) =>
    look((within) =>
      rowsOf(noteTable)(sql`
        SELECT ${sql.literal(noteTable.columns)}
        FROM endpoint_outbox o
        WHERE ${within("o")}
        ORDER BY o.bucket, o.execution_id, o.revision
        LIMIT ${integer(limit)}`)
    )

  const requestsOf = (bucket: number, notes: ReadonlyArray<Note>) =>
    rowsOf(requestTable)(sql`
      SELECT ${sql.literal(requestTable.columns)}
      FROM execution_requests r
      WHERE r.bucket = ${smallint(bucket)} AND r.id = ANY (${uuids(notes.map(({ executionId }) => executionId))})`)

  const judge = Effect.fnUntraced(function* (bucket: number, notes: ReadonlyArray<Note>) {
    const accounts = Array.dedupe(notes.map(({ accountId }) => accountId))
    const [requests, listeners] = yield* Effect.all(
      [requestsOf(bucket, notes), listenersOf(bucket, accounts)],
      { concurrency: "unbounded" }
    )
    const byId = new Map(requests.map((request) => [request.id, request]))
    return yield* Effect.forEach(
      notes,
      Effect.fnUntraced(function* (note): Effect.fn.Return<Announcement> {
        const { accountId } = note
        const request = byId.get(note.executionId)
        if (request === undefined) return { note, tellings: [] }
        const { reference, requestId } = request
        const told = listeners.filter(
          (each) =>
            each.accountId === accountId &&
            each.number <= note.lastEndpoint &&
            isToldOf(each, { ...request, ...note })
        )
        const tellings = yield* Effect.forEach(told, ({ apiKeyId, id: endpointId, url }) =>
          Effect.map(nextEventId, (id) => {
            const event = { id, accountId, apiKeyId, endpointId, url }
            return { event, note, reference, requestId }
          })
        )
        return { note, tellings }
      })
    )
  })

  /** Locks notes of executions, and answers which. Those that others are at, or were, are not among them. */
  const hold = (bucket: number, judged: ReadonlyArray<Announcement>) =>
    rowsOf(noteKeyTable)(sql`
      SELECT ${sql.literal(noteKeyTable.columns)}
      FROM endpoint_outbox o
      WHERE o.bucket = ${smallint(bucket)}
        AND o.execution_id = ANY (${uuids(judged.map(({ note }) => note.executionId))})
      ORDER BY o.execution_id, o.revision
      FOR UPDATE SKIP LOCKED`)

  const forget = (bucket: number, notes: ReadonlyArray<Note>) => sql`
    DELETE FROM endpoint_outbox o
    USING ${rows("n", notes, {
      execution_id: uuid(({ executionId }) => executionId),
      revision: integer(({ revision }) => revision)
    })}
    WHERE o.bucket = ${smallint(bucket)} AND o.execution_id = ANY (${uuids(notes.map(({ executionId }) => executionId))})
      AND o.execution_id = n.execution_id AND o.revision = n.revision`

  /** In a transaction. Answers what it has stored. */
  const store = Effect.fnUntraced(function* (bucket: number, judged: ReadonlyArray<Announcement>) {
    const held = new Set((yield* hold(bucket, judged)).map(keyOf))
    // Of an execution all or nothing: an earlier change that others tell of just now must be told first.
    const own = Object.values(Array.groupBy(judged, ({ note }) => note.executionId))
      .filter((ofOne) => ofOne.every(({ note }) => held.has(keyOf(note))))
      .flat()
    const tellings = own.flatMap((each) => each.tellings)
    if (own.length > 0)
      yield* forget(
        bucket,
        own.map(({ note }) => note)
      )
    if (tellings.length > 0) {
      yield* storeDeliveries(sql, { bucket, tellings })
      yield* queueDeliveries(sql, { bucket, tellings })
    }
    return { tellings, isAll: own.length === judged.length }
  })

  return Effect.fnUntraced(function* ({ limit }: { readonly limit: number }) {
    const notes = yield* find(limit)
    const stored = yield* forEachBucket(notes, (bucket, ofBucket) =>
      Effect.flatMap(judge(bucket, ofBucket), (judged) => sql.withTransaction(store(bucket, judged)))
    )
    return {
      events: stored.flatMap(({ tellings }) => tellings.map(({ event }) => event)),
      hasMore: notes.length >= limit || stored.some(({ isAll }) => !isAll)
    } satisfies FannedOut
  })
})

const keyOf = ({ executionId, revision }: typeof NoteKey.Type): string => `${executionId} ${revision}`
