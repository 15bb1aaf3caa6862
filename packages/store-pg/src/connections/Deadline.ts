/** How long the database may take, and when a caller gets an answer regardless. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

export const timeoutDefault = Duration.seconds(5)

/** How long a statement or a transaction may take, with the wait for a connection. */
export const DatabaseTimeout = Context.Reference<Duration.Duration>(
  "@runhook/store-pg/connections/DatabaseTimeout",
  { defaultValue: () => timeoutDefault }
)

/** How long background work may take: sweeps, pruning, replays. No caller waits for it. */
export const upkeepPatience = Duration.minutes(1)

/** How long a start waits for migrations, its own or those of another process. */
export const migrationPatience = Duration.hours(1)

/** Work that may take longer than the timeout. */
const Patience = Context.Reference<Duration.Duration>("@runhook/store-pg/connections/Patience", {
  defaultValue: () => Duration.zero
})

/** Lets work take this long, if the timeout is shorter. */
export const patient = (patience: Duration.Duration) => Effect.provideService(Patience, patience)

/** Work that is given up sooner, and begins by itself. */
const Haste = Context.Reference<Duration.Duration | undefined>("@runhook/store-pg/connections/Haste", {
  defaultValue: () => undefined
})

/** Gives each statement of the work up after this time. */
export const hurried = (limit: Duration.Duration) => Effect.provideService(Haste, limit)

/** When the store method of the statement began, in milliseconds of `performance.now`. */
const BegunAt = Context.Reference<number | undefined>("@runhook/store-pg/connections/BegunAt", {
  defaultValue: () => undefined
})

/** Counts the time from here on, so that retries share it. */
export const timed = <A, E, R>(method: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(method, BegunAt, performance.now()))

/** A moment of this machine, independent of the program's clock: sockets live in real time. */
export interface Deadline {
  /** In milliseconds of `performance.now`. */
  readonly at: number
  readonly limit: Duration.Duration
}

/** The deadline of work that begins here. */
export const deadline = (timeout: Duration.Duration): Effect.Effect<Deadline> =>
  Effect.withFiber((fiber) => {
    const haste = fiber.getRef(Haste)
    const limit = haste ?? Duration.max(timeout, fiber.getRef(Patience))
    const begunAt = haste === undefined ? fiber.getRef(BegunAt) : undefined
    return Effect.succeed({ at: (begunAt ?? performance.now()) + Duration.toMillis(limit), limit })
  })

export const millisLeft = ({ at }: Deadline): number => at - performance.now()

/** The outcome of the statement is unknown. */
class DeadlinePassed extends Schema.TaggedError<DeadlinePassed>()("DeadlinePassed", {
  limit: Schema.Duration
}) {
  override get message() {
    return `no answer within ${Duration.format(this.limit)}`
  }
}

/** The error of a statement that was not answered in time. */
export const passed = ({ limit }: Deadline): SqlError =>
  new SqlError({
    reason: new ConnectionError({
      cause: new DeadlinePassed({ limit }),
      message: `PostgreSQL gave no answer within ${Duration.format(limit)}`
    })
  })

/** Whether a statement was not answered in time: trying again would take as long. */
export const hasPassed = ({ reason }: SqlError): boolean => reason.cause instanceof DeadlinePassed

/** Fails when the deadline passes. */
export const passing = (until: Deadline): Effect.Effect<never, SqlError> =>
  Effect.callback((resume) => Effect.sync(whenPassed(until, () => resume(Effect.fail(passed(until))))))

/** Calls when the deadline has passed, unless it is cancelled. An answer that has arrived by then is read first. */
export const whenPassed = (until: Deadline, act: () => void): (() => void) => {
  let cancel = () => clearTimeout(timer)
  const timer = setTimeout(
    () => {
      const turn = setImmediate(act)
      cancel = () => clearImmediate(turn)
    },
    // Timers count whole milliseconds, and may be one early.
    Math.max(0, Math.ceil(millisLeft(until)) + 1)
  )
  return () => cancel()
}
