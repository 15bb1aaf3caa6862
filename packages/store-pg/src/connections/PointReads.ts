/**
 * Reads of a few rows by their whole keys, on two shared connections of their own: they wait for no commit, and
 * concurrent reads share one write. Answers come in order, so nothing that is slow or takes a lock belongs here.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Borrower, Connection } from "effect/sql/SqlConnection"
import * as Stream from "effect/Stream"
import type { Options } from "./Client.ts"
import { deadline, passing } from "./Deadline.ts"
import * as Pools from "./Pools.ts"

/** How many connections they have. */
export const connectionsMax = 2

/** Statements on one connection at once. Further callers wait, as for a connection. */
const concurrency = 256

/** Reads on the shared connections; within a transaction of the stores, on its connection. */
export class PointReads extends Context.Service<PointReads, SqlClient.SqlClient>()(
  "@runhook/store-pg/connections/PointReads"
) {}

/** Lends the shared connections, which close with the scope. */
export const open = Effect.fnUntraced(function* ({ pools = Pools.make(), timeout, ...config }: Options) {
  const pool = yield* pools.open({
    ...config,
    minConnections: 0,
    maxConnections: connectionsMax,
    connectTimeout: timeout,
    multiplex: true,
    multiplexConcurrency: concurrency
  })
  const borrower: Borrower = (use) =>
    Effect.flatMap(deadline(timeout), (until) => {
      let lent: PgConnection.PgConnection | undefined
      const asking = pool.use((connection) => {
        lent = connection
        return use(connectionOf(connection))
      })
      // A read that is not answered in time would delay all later ones.
      const retiring = Effect.suspend(() => (lent === undefined ? Effect.void : pool.invalidate(lent)))
      return Effect.raceFirst(
        asking,
        Effect.tapError(passing(until), () => retiring)
      )
    })

  return borrower
})

/** The client that reads on the borrower's connections, besides that of the stores. */
export const make = (borrower: Borrower, stores: SqlClient.SqlClient) =>
  SqlClient.make({
    driver: "pg",
    acquirer: stores.reserve,
    transactionAcquirer: stores.reserve,
    transactionService: stores.transactionService,
    borrower,
    compiler: PgClient.makeCompiler(),
    spanAttributes: [["db.system.name", "postgresql"]]
  })

const connectionOf = (connection: PgConnection.PgConnection): Connection => {
  const rows: Connection["execute"] = (text, parameters) =>
    Effect.map(connection.query(text, parameters), (result) => result.rows)
  const unprepared: Connection["execute"] = (text, parameters) =>
    Effect.map(connection.query(text, parameters, false), (result) => result.rows)
  return {
    execute: rows,
    executeUnprepared: unprepared,
    executeRaw: (text, parameters) => connection.query(text, parameters),
    executeStream: (text, parameters) => Stream.fromIterableEffect(rows(text, parameters, undefined)),
    executeValues: (text, parameters) => connection.queryValues(text, parameters),
    executeValuesUnprepared: (text, parameters) => connection.queryValues(text, parameters, false)
  }
}
