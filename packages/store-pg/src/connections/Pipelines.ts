/**
 * Transactions whose statements go out in one write, with BEGIN and COMMIT: for a
 * database such as Citus, where short statements are cheap and long ones are not. No
 * statement can use the answer of another. If one fails, nothing is stored.
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { inFlightTotal } from "../batches/GroupCommit.ts"
import { isReadOnly } from "../database/Outages.ts"
import type { Options } from "./Client.ts"
import { deadline, passing } from "./Deadline.ts"
import * as Pools from "./Pools.ts"

/** How many connections they have: one for each group of creates or of moves that is on its way. None is opened where nothing goes this way. */
const connectionsMax = 2 * inFlightTotal

/** What each statement has answered, in their order. */
type Answers = ReadonlyArray<ReadonlyArray<ReadonlyArray<unknown>>>

type Text = Pick<Statement<object>, "compile">

export class Pipelines extends Context.Service<
  Pipelines,
  {
    /** Stores what all statements write, or fails as the first that fails. Never in a transaction of the caller. */
    transaction(statements: ReadonlyArray<Text>): Effect.Effect<Answers, SqlError>
  }
>()("@runhook/store-pg/connections/Pipelines") {}

/** On connections of their own, which close with the scope. */
export const open = Effect.fnUntraced(function* ({ pools = Pools.make(), timeout, ...config }: Options) {
  const pool = yield* pools.open({
    ...config,
    minConnections: 0,
    maxConnections: connectionsMax,
    connectTimeout: timeout,
    // Statements are sent without waiting for answers, and a connection has one transaction at a time.
    multiplex: true,
    multiplexConcurrency: 1,
    // The server ends what is given up here, even if it waits for a lock.
    startupParameters: {
      ...config.startupParameters,
      ...(config.startupParameters?.["statement_timeout"] === undefined
        ? {}
        : { statement_timeout: String(Duration.toMillis(timeout)) })
    }
  })

  const send = (connection: PgConnection.PgConnection, statements: ReadonlyArray<Text>) => {
    const sent = statements.map((statement) => {
      const [text, parameters] = statement.compile()
      return connection.queryValues(text, parameters)
    })
    // Not prepared: what others have made of the session must not leave the rest without a transaction.
    const all = [connection.queryValues("BEGIN", [], false), ...sent, connection.queryValues("COMMIT", [])]
    // All are answered, whatever comes of one: then the connection is at rest.
    return Effect.flatMap(Effect.forEach(all, Effect.exit, { concurrency: "unbounded" }), (exits) => {
      const failed = exits.find(Exit.isFailure)
      if (failed !== undefined) return Effect.failCause(failed.cause)
      return Effect.succeed(exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : [])))
    })
  }

  const transaction = (statements: ReadonlyArray<Text>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const until = yield* deadline(timeout)
        const connection = yield* Effect.raceFirst(pool.get, passing(until))
        const discard = pool.invalidate(connection)
        const answers = yield* Effect.raceFirst(send(connection, statements), passing(until)).pipe(
          Effect.tapError((error) => {
            if (isReadOnly(error)) return Effect.andThen(discard, pool.renewAll)
            return error.reason._tag === "ConnectionError" ? discard : Effect.void
          }),
          // A connection on which something is under way must not be used again.
          Effect.onInterrupt(() => discard)
        )
        return answers.slice(1, -1)
      })
    )

  return Pipelines.of({ transaction })
})
