/** How long the database may take, and when a caller gets an answer regardless. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { callAt } from "./Alarms.ts"

export const timeoutDefault = Duration.seconds(5)

/** How long a statement or a transaction may take, with the wait for a connection. */
export const DatabaseTimeout = Context.Reference<Duration.Duration>(
  "@runhook/store-pg/connections/DatabaseTimeout",
  { defaultValue: () => timeoutDefault }
)

/** How long what the service does by itself may take: sweeps, forgetting, replays. Nobody waits for it. */
export const upkeepPatience = Duration.minutes(1)

/** How long a start waits for the migrations, its own or those of another. */
export const migrationPatience = Duration.hours(1)

/** Work that may take longer than the time-out. */
const Patience = Context.Reference<Duration.Duration>("@runhook/store-pg/connections/Patience", {
  defaultValue: () => Duration.zero
})

/** Lets work take that long, if the time-out is shorter. */
export const patient = (patience: Duration.Duration) => Effect.provideService(Patience, patience)

/** When the method of a store began, to which the statement belongs, in milliseconds of `performance.now`. */
const BegunAt = Context.Reference<number | undefined>("@runhook/store-pg/connections/BegunAt", {
  defaultValue: () => undefined
})

/** Counts the time from here on, so that what is tried again gets no more of it. */
export const timed = <A, E, R>(method: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(method, BegunAt, performance.now()))

/**
 * A moment of this machine, whatever the clock of the program says: what a
 * socket does not do, it does not do in real time.
 */
export interface Deadline {
  /** In milliseconds of `performance.now`. */
  readonly at: number
  readonly limit: Duration.Duration
}

/** The deadline of whatever begins here. */
export const deadline = (timeout: Duration.Duration): Effect.Effect<Deadline> =>
  Effect.withFiber((fiber) => {
    const limit = Duration.max(timeout, fiber.getRef(Patience))
    return Effect.succeed({
      at: (fiber.getRef(BegunAt) ?? performance.now()) + Duration.toMillis(limit),
      limit
    })
  })

export const millisLeft = ({ at }: Deadline): number => at - performance.now()

/** Nothing is known about the statement. */
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

/** Calls when the deadline has passed, unless it is called off. */
export const whenPassed = (until: Deadline, act: () => void): (() => void) => callAt(until.at, act)
