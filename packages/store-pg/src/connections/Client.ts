/**
 * The SQL client of the stores: the driver's, but every statement and transaction has a deadline, which includes the
 * wait for a connection.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { Acquirer, Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { isBroken } from "../database/Outages.ts"
import { isInTransaction } from "../engine/Transactions.ts"
import { type Deadline, deadline, passing } from "./Deadline.ts"
import { type HeldConnection, hold } from "./HeldConnection.ts"
import { type Load, unshown } from "./PoolLoad.ts"
import * as Pool from "./Pool.ts"

export interface Options extends PgClient.PgPoolConfig {
  readonly timeout: Duration.Duration
  /** Counts its connections. Not counted by default. */
  readonly load?: Load
}

/** A client with a pool of its own, which closes with the scope. */
export const make = Effect.fnUntraced(function* ({ load = unshown, timeout, ...config }: Options) {
  const pool = yield* Pool.make({ ...config, connectTimeout: timeout })
  const lease = leaseOf(pool, { timeout, load })
  const client = yield* SqlClient.make({
    driver: "pg",
    acquirer: lease,
    transactionAcquirer: lease,
    borrower: (use) => Effect.scoped(Effect.flatMap(lease, use)),
    compiler: PgClient.makeCompiler(),
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    commit,
    // The server rolls back what a lost connection has begun.
    isTransaction: (connection) => !lost.has(connection)
  })
  const { withTransaction } = client
  const native: Omit<PgClient.PgClient, keyof SqlClient.SqlClient> = {
    [PgClient.TypeId]: PgClient.TypeId,
    config,
    json: (value) => Statement.fragment([json(value, undefined, undefined)]),
    listen: (channel) => Effect.flatMap(pool.get, (connection) => connection.listen(channel)),
    notify: (channel, payload) => Effect.asVoid(client`SELECT pg_notify(${channel}, ${payload})`)
  }
  return Object.assign(client, native, {
    withTransaction: <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.flatMap(isInTransaction(client), (isJoined) =>
        isJoined ? inSavepoint(client, work) : withTransaction(work)
      )
  })
})

/** In a transaction that a host may have begun with a driver of its own. If the work fails, that stays usable. */
const inSavepoint = Effect.fnUntraced(function* <A, E, R>(
  sql: SqlClient.SqlClient,
  work: Effect.Effect<A, E, R>
) {
  yield* sql`SAVEPOINT runhook`
  const done = yield* Effect.onError(work, () =>
    Effect.ignore(Effect.andThen(sql`ROLLBACK TO SAVEPOINT runhook`, sql`RELEASE SAVEPOINT runhook`))
  )
  yield* sql`RELEASE SAVEPOINT runhook`
  return done
})

const json = Statement.custom<PgClient.PgCustom>("PgJson")

/** Leased connections in an unknown state. */
const lost = new WeakSet<Connection>()

/** A connection for one statement or one transaction, within the rest of the time. */
const leaseOf = (pool: Pool.Pool, { load, timeout }: Required<Pick<Options, "load" | "timeout">>): Acquirer =>
  Effect.gen(function* () {
    const until = yield* deadline(timeout)
    const held: Effect.Effect<HeldConnection, SqlError, Scope.Scope> = Effect.flatMap(
      pool.get,
      (connection) => hold(connection, { discard: pool.invalidate(connection), onReadOnly: pool.renew })
    )
    const connection = yield* load.waiting(Effect.raceFirst(held, passing(until)))
    yield* load.using
    return connectionOf(connection, until)
  })

const connectionOf = ({ connection, within }: HeldConnection, until: Deadline): Connection => {
  const run = <A>(statement: Effect.Effect<A, SqlError>) =>
    Effect.tapError(within(until, statement), (error) =>
      Effect.sync(() => isBroken(error) && lost.add(leased))
    )
  const leased: Connection = {
    execute: (text, parameters) => Effect.map(run(connection.query(text, parameters)), rowsOf),
    executeUnprepared: (text, parameters) =>
      Effect.map(run(connection.query(text, parameters, false)), rowsOf),
    executeRaw: (text, parameters) => run(connection.query(text, parameters)),
    executeStream: (text, parameters) =>
      Stream.fromIterableEffect(Effect.map(run(connection.query(text, parameters)), rowsOf)),
    executeValues: (text, parameters) => run(connection.queryValues(text, parameters)),
    executeValuesUnprepared: (text, parameters) => run(connection.queryValues(text, parameters, false))
  }
  return leased
}

const rowsOf = ({ rows }: PgConnection.Result): ReadonlyArray<PgConnection.Row> => rows

/** PostgreSQL answers COMMIT in a failed transaction by rolling it back. */
const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK"
      ? Effect.fail(new SqlError({ reason: new UnknownError({ cause: result, message: rolledBack }) }))
      : Effect.void
  )

const rolledBack = "A transaction that had failed was rolled back in place of its COMMIT"
