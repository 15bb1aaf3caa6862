/** Listens on a connection of its own, for as long as the database answers on it. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { SqlError } from "effect/sql/SqlError"
import { deadline } from "../connections/Deadline.ts"
import { type HeldConnection, hold } from "../connections/HeldConnection.ts"

export interface Listening {
  readonly config: PgConnection.Config
  readonly channel: string
  /** How long the database may take. It is asked that often whether it is still there and takes writes, since silence may mean anything. */
  readonly timeout: Duration.Duration
  /** Done each time that it listens. */
  readonly begun: Effect.Effect<void>
  readonly hear: (notice: PgConnection.Notification) => Effect.Effect<void>
}

/** Fails on a session that is read-only: nobody tells anything at a primary that is one no more. */
const takesWrites = "SELECT 1 / (current_setting('transaction_read_only') = 'off')::integer"

/** Fails when it cannot listen, and ends when it no longer can. */
export const listen = ({
  begun,
  channel,
  config,
  hear,
  timeout
}: Listening): Effect.Effect<void, SqlError> => {
  const listenOn = Effect.fnUntraced(function* ({ connection, within }: HeldConnection) {
    const inTime = <A, R>(work: Effect.Effect<A, SqlError, R>) =>
      Effect.flatMap(deadline(timeout), (until) => within(until, work))
    const notices = yield* inTime(connection.listen(channel))
    yield* begun
    const hearing = Effect.forever(Effect.flatMap(Queue.take(notices), hear))
    const asking = Effect.forever(Effect.delay(inTime(connection.query(takesWrites)), timeout))
    yield* Effect.raceFirst(hearing, asking).pipe(
      Effect.ignore({ log: "Debug", message: "Other processes are not heard any more" })
    )
  })
  return Effect.gen(function* () {
    const connection = yield* PgConnection.make({ ...config, connectTimeout: timeout })
    const held = yield* hold(connection, { discard: Effect.void })
    // Else the end of the scope would tell the database, and wait for its answer.
    yield* Effect.ensuring(listenOn(held), held.giveUp)
  }).pipe(Effect.scoped)
}
