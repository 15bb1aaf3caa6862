/** Reads what noted changes are judged by, and lets the core judge who is told of them. Locks nothing. */
import { isToldOf } from "@runhook/core/endpoints/Subscription"
import { EventId, ExecutionId, newId } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { deliveryJoins, ExecutionFacts, factColumns } from "../deliveries/DeliveryRow.ts"
import { rowsOf } from "../rows/Rows.ts"
import { rowTable } from "../rows/RowTable.ts"
import { uuids } from "../sql/Parameters.ts"
import { fixed, type InBucket, statement } from "../sql/Statement.ts"
import { type Listener, makeListeners } from "./Listeners.ts"
import type { Item, Note, Telling } from "./StoreEvents.ts"

/** What an event shows of its execution, and endpoints choose it by, beside the note. */
const Facts = Schema.Struct({
  ...ExecutionFacts.fields,
  id: ExecutionId,
  requestId: Schema.String,
  reference: Schema.String
})
const factsTable = rowTable(
  { ...factColumns, id: "r.id", requestId: "r.request_id", reference: "r.reference" },
  Facts
)

interface Executions extends InBucket {
  readonly ids: ReadonlyArray<ExecutionId>
}

const factsRows = rowsOf(factsTable)
const readFacts = statement(fixed<Executions>`
SELECT ${factsTable.columns}
FROM unnest(${uuids(({ ids }: Executions) => ids)}) AS d (execution_id)${deliveryJoins}
WHERE r.id IS NOT NULL`)

type Facts = typeof Facts.Type

/** An item, with what its delivery is made of. */
export interface NoteVerdict extends Item {
  readonly telling: (Telling & Facts) | null
}

export const makeJudgeNotes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const listenersOf = yield* makeListeners
  const random = yield* SecureRandom
  const nextEventId = Effect.provideService(newId(EventId), SecureRandom, random)

  /** An item for each endpoint that is told of the change; one if none is. */
  const itemsOf = Effect.fnUntraced(function* (
    note: Note,
    facts: Facts | undefined,
    listeners: ReadonlyArray<Listener>
  ): Effect.fn.Return<ReadonlyArray<NoteVerdict>> {
    const { accountId } = note
    const told = listeners.filter(
      (each) =>
        facts !== undefined &&
        each.accountId === accountId &&
        each.number <= note.lastEndpoint &&
        isToldOf(each, { ...facts, ...note })
    )
    if (facts === undefined || told.length === 0) return [{ note, telling: null }]
    return yield* Effect.forEach(told, ({ apiKeyId, id: endpointId, url }) =>
      Effect.map(nextEventId, (id) => {
        const event = { id, accountId, apiKeyId, endpointId, url }
        return { note, telling: { ...facts, event } }
      })
    )
  })

  return Effect.fnUntraced(function* (bucket: number, notes: ReadonlyArray<Note>) {
    const ids = Array.dedupe(notes.map(({ executionId }) => executionId))
    const accounts = Array.dedupe(notes.map(({ accountId }) => accountId))
    const [facts, listeners] = yield* Effect.all(
      [factsRows(readFacts(sql, { bucket, ids })), listenersOf(bucket, accounts)],
      { concurrency: "unbounded" }
    )
    const byId = new Map(facts.map((each) => [each.id, each]))
    const items = yield* Effect.forEach(notes, (note) => itemsOf(note, byId.get(note.executionId), listeners))
    return items.flat()
  })
})
