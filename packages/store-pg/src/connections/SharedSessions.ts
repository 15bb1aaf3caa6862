/**
 * Checks that each connection has a PostgreSQL session of its own. Behind a pooler in transaction mode it has not:
 * LISTEN hears nothing there, and connections meet the prepared statements of others.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"

/** The connections lead to a pooler that assigns a session to each transaction. */
export class SessionsShared extends Schema.TaggedError<SessionsShared>()("SessionsShared", {}) {
  override get message() {
    return "a pooler in transaction mode answers there, and Runhook needs a session for each connection: set the pooler's pool_mode to session for this database, or name the database itself"
  }
}

/** The process of PostgreSQL that serves the connection at this moment. */
const serverProcess = (connection: Connection) =>
  Effect.map(connection.executeValuesUnprepared("SELECT pg_backend_pid()", []), ([row]) => row?.[0])

/**
 * Fails when two concurrent connections turn out to share sessions: the one in a transaction got the other's session,
 * or the other has a new one.
 */
export const checkedSessions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [idle, busy] = [yield* sql.reserve, yield* sql.reserve]
  const before = yield* serverProcess(idle)
  yield* busy.executeUnprepared("BEGIN", [], undefined)
  const taken = yield* serverProcess(busy)
  // In this order: a pooler without further sessions would let the idle connection wait for it.
  const isShared = taken === before || (yield* serverProcess(idle)) !== before
  yield* busy.executeUnprepared("ROLLBACK", [], undefined)
  if (isShared) return yield* new SessionsShared()
}).pipe(Effect.scoped)
