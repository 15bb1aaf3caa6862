/**
 * A clock that follows the database's. A process uses it for everything that it decides without the database: whether
 * a key, a file grant or a signing secret is valid, the time in an id, the timestamp of a callback. So all processes
 * decide alike, however wrong the clocks of their machines are. Between two readings it advances with the monotonic
 * clock of the process.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { decodedFirst } from "../sql/SqlErrors.ts"
import { makeClockWatch } from "./ClockWatch.ts"
import { StoreClock } from "./StoreClock.ts"

/** Time between two readings. */
export const readingEvery = Duration.seconds(10)

const ReadingRow = Schema.Struct({ millis: Schema.Finite })

const nanosPerMilli = 1_000_000

/**
 * Provides `Clock`. Everything that makes ids must use it: ids rise, and one that is ahead takes the others along.
 * Until the database's time is known, this is the process' own.
 */
const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const own = yield* Clock.Clock
  const watch = makeClockWatch()
  /** How many milliseconds the database's clock is ahead of the monotonic one. */
  let ahead: number | null = null

  const steady = () => Number(own.monotonicTimeNanosUnsafe()) / nanosPerMilli
  const millis = () => (ahead === null ? own.currentTimeMillisUnsafe() : steady() + ahead)

  const read = Effect.gen(function* () {
    const before = steady()
    const row = yield* decodedFirst(ReadingRow)(
      sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis`
    )
    if (row === undefined) return
    const after = steady()
    // The reading was taken at some moment in between.
    const inexact = (after - before) / 2
    const found = row.millis - (before + inexact)
    if (ahead === null || Math.abs(found - ahead) > inexact) ahead = found
    yield* watch({ aheadMillis: own.currentTimeMillisUnsafe() - (after + found), inexact })
  }).pipe(
    // `StoreOutages` reports that the database is away; until it is back, the monotonic clock goes on alone.
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.void))
  )

  yield* read
  // The first waits for a connection, and so is inexact.
  if (ahead !== null) yield* read
  yield* Effect.sleep(readingEvery).pipe(Effect.andThen(read), Effect.forever, Effect.forkScoped)

  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => Math.floor(millis()),
    currentTimeMillis: Effect.sync(() => Math.floor(millis())),
    currentTimeNanosUnsafe: () => BigInt(Math.floor(millis() * 1_000)) * 1_000n,
    currentTimeNanos: Effect.sync(() => BigInt(Math.floor(millis() * 1_000)) * 1_000n),
    monotonicTimeNanosUnsafe: () => own.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: own.monotonicTimeNanos,
    sleep: (duration) => own.sleep(duration)
  }
  return clock
})

export const layer = Layer.effect(Clock.Clock, make)

/** The clock of the stores on a distributed database. */
export const layerStores = Layer.effect(
  StoreClock,
  Effect.map(make, (clock) => ({ now: () => DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()) }))
)
