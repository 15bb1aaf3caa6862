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
  /** How long the database may take. It is asked that often whether it is still there and takes writes, since silence may mean anything. */
  readonly timeout: Duration.Duration
  /** Done each time that it listens. */
  readonly begun: Effect.Effect<void>
  readonly hear: (notice: PgConnection.Notification) => Effect.Effect<void>
  /** Told how many listen, each time that the database is asked. */
  readonly audience: OtherListeners
}

/** The lock that all hold who listen. */
const presence = { class: 1_342_178_371, object: 1 }

const takePresence = `SELECT pg_advisory_lock_shared(${presence.class}, ${presence.object})`

/**
 * Something besides the database that all processes must have in common: a number
 * that says which one this process has, and what is done once others turn out to
 * have another.
 */
export const SharedThing = Context.Reference<{
  readonly number: number
  readonly apart: Effect.Effect<void>
} | null>("@runhook/store-pg/signals/SharedThing", { defaultValue: () => null })

/** The locks by which processes say which one they have. */
const things = presence.class + 1

/**
 * Counts them. Fails on a session that is read-only: nobody tells anything at a
 * primary that is one no more.
 */
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
    // Else the end of the scope would tell the database, and wait for its answer.
    yield* Effect.ensuring(listenOn(held), held.giveUp)
  }).pipe(Effect.scoped)
}
