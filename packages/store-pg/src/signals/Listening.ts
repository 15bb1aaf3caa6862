/** Listens on a connection of its own, for as long as the database answers on it. */
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type { SqlError } from "effect/sql/SqlError"
import { deadline } from "../connections/Deadline.ts"
import { type HeldConnection, hold } from "../connections/HeldConnection.ts"
import type { OtherListeners } from "./OtherListeners.ts"

export interface Listening {
  readonly config: PgConnection.Config
  readonly channel: string
  /**
   * How long the database may take to answer. It is also how often it is asked whether it is still there and takes
   * writes, since silence may mean anything.
   */
  readonly timeout: Duration.Duration
  /** Runs each time that listening begins. */
  readonly begun: Effect.Effect<void>
  readonly hear: (notice: PgConnection.Notification) => Effect.Effect<void>
  /** Gets the number of listeners, each time that the database is asked. */
  readonly audience: OtherListeners
}

/** The lock that all listeners hold. */
const presence = { class: 1_342_178_371, object: 1 }

const takePresence = `SELECT pg_advisory_lock_shared(${presence.class}, ${presence.object})`

/**
 * Something that all processes of a database must share, besides it: a number that identifies this process' own, and
 * what to do once others turn out to have another.
 */
export const SharedThing = Context.Reference<{
  readonly number: number
  readonly apart: Effect.Effect<void>
} | null>("@runhook/store-pg/signals/SharedThing", { defaultValue: () => null })

/** The locks by which processes tell which one they have. */
const things = presence.class + 1

/** Counts the listeners. Fails on a read-only session: nobody notifies on a former primary. */
const listeners = `
  SELECT count(*) FILTER (WHERE classid = ${presence.class})::integer
      / (current_setting('transaction_read_only') = 'off')::integer AS listeners,
    count(DISTINCT objid) FILTER (WHERE classid = ${things})::integer AS things
  FROM pg_locks
  WHERE locktype = 'advisory' AND (classid = ${presence.class} AND objid = ${presence.object} OR classid = ${things})
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** Fails when it cannot listen, and ends when it no longer can. */
export const listen = ({
  audience,
  begun,
  channel,
  config,
  hear,
  timeout
}: Listening): Effect.Effect<void, SqlError> => {
  let isToldApart = false
  const listenOn = Effect.fnUntraced(function* ({ connection, within }: HeldConnection) {
    const inTime = <A, R>(work: Effect.Effect<A, SqlError, R>) =>
      Effect.flatMap(deadline(timeout), (until) => within(until, work))
    const notices = yield* inTime(connection.listen(channel))
    yield* inTime(connection.query(takePresence))
    const thing = yield* SharedThing
    if (thing !== null)
      yield* inTime(connection.query(`SELECT pg_advisory_lock_shared(${things}, ${thing.number})`))
    yield* begun
    const hearing = Effect.forever(Effect.flatMap(Queue.take(notices), hear))
    const counting = Effect.gen(function* () {
      audience.counting()
      const [row] = yield* inTime(connection.queryValues(listeners))
      audience.counted(Number(row?.[0]))
      if (thing !== null && Number(row?.[1]) > 1 && !isToldApart) yield* thing.apart
      isToldApart = Number(row?.[1]) > 1
      yield* Effect.sleep(timeout)
    })
    yield* Effect.raceFirst(hearing, Effect.forever(counting)).pipe(
      Effect.ignore({ log: "Debug", message: "Other processes are not heard any more" }),
      Effect.ensuring(Effect.sync(() => audience.isDeaf()))
    )
  })
  return Effect.gen(function* () {
    const connection = yield* PgConnection.make({ ...config, connectTimeout: timeout })
    const held = yield* hold(connection, { discard: Effect.void })
    // Otherwise the end of the scope would send UNLISTEN, and wait for the answer.
    yield* Effect.ensuring(listenOn(held), held.giveUp)
  }).pipe(Effect.scoped)
}
