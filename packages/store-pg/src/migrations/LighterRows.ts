/**
 * Rows and indexes that write less to the log. The version before still finds
 * everything without the indexes that go, only slower. Of a delivery that its
 * first attempt has made it does not show that attempt, whose column it leaves
 * null itself.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ListNumbers from "../executions/list/ListNumbers.ts"

/** Indexes of lists that have a number in place of columns: what each is of, and the id that its rows follow each other by. */
const numbered = [
  { table: "execution_status", index: "by_status", number: ListNumbers.ofStatus, id: "execution_id" },
  { table: "execution_status", index: "by_agent", number: ListNumbers.ofAgent, id: "execution_id" },
  { table: "execution_status", index: "by_task", number: ListNumbers.ofTask, id: "execution_id" },
  { table: "execution_requests", index: "by_agent_and_task", number: ListNumbers.ofAgentAndTask, id: "id" }
] as const

const numberLists = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const { id, index, number, table } of numbered) {
    const name = sql(`${table}_${index}`)
    yield* sql`DROP INDEX ${name}`
    yield* sql`CREATE INDEX ${name} ON ${sql(table)} ((${sql.literal(number(table))}), ${sql(id)})`
    // A list that is long elsewhere may be one that an account does not have.
    yield* sql`ALTER INDEX ${name} ALTER COLUMN 1 SET STATISTICS 0`
  }
})

const indexGivenReferences = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`DROP INDEX execution_requests_by_reference`
  yield* sql`
    CREATE INDEX execution_requests_by_reference ON execution_requests (account_id, reference, id)
    WHERE ${sql.literal(ListNumbers.isReferenceGiven("execution_requests"))}`
})

const keepFirstAttempts = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE webhook_deliveries ADD COLUMN first_attempt json`
  // Room beside a new row for what its claim and its settlement make of it: nearly all updates stay in their page (HOT).
  yield* sql`ALTER TABLE webhook_deliveries SET (fillfactor = 35)`
  // A claim moves the key, so this is no HOT; in the same page it needs no lock beside.
  yield* sql`ALTER TABLE webhook_queue SET (fillfactor = 80)`
})

const leaveRoomToMoves = Effect.gen(function* () {
  const sql = yield* SqlClient
  // Created and moved in batches, rows lie close together: filled to 60 %, three of ten would leave their page once.
  yield* sql`ALTER TABLE executions SET (fillfactor = 50)`
})

export const create = Effect.all([numberLists, indexGivenReferences, keepFirstAttempts, leaveRoomToMoves], {
  discard: true
})
