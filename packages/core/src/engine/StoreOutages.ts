/**
 * Tells operators once that the store is away and once that it is back, instead of
 * a log line with a stack for every request and round that fails meanwhile.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { absenceIn, type StoreUnavailable } from "./StoreUnavailable.ts"
import { inWholeUnits } from "./WholeDuration.ts"

/** While the store is away, the log repeats it this often. */
const reminderEvery = Duration.seconds(30)

/** How often an absent store is checked. */
const checkEvery = Duration.seconds(1)

/**
 * An outage is over when the check succeeds and nothing has failed for this long.
 * So a problem that only some statements meet, such as a lock, is not reported
 * again and again.
 */
const calmFor = Duration.seconds(5)

/** A check that takes longer has failed. */
const checkTimeout = Duration.seconds(5)

/**
 * Provides the loggers: the surrounding ones, which no longer see failures by
 * `StoreUnavailable`. The check succeeds when the store takes writes; it runs only
 * while the store is away.
 */
export const layer = <E, R>(check: Effect.Effect<unknown, E, R>): Layer.Layer<never, never, R> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const loggers = yield* Logger.CurrentLoggers
      const isAway = Latch.makeUnsafe()
      let failures = 0
      let reason = ""
      let wellSince: number | undefined

      const note = (absence: StoreUnavailable) => {
        failures += 1
        reason = absence.reason
        wellSince = undefined
        isAway.openUnsafe()
      }

      const look = Effect.gen(function* () {
        const { _tag } = yield* Effect.exit(Effect.timeout(check, checkTimeout))
        const now = yield* Clock.currentTimeMillis
        wellSince = _tag === "Success" ? (wellSince ?? now) : undefined
        return wellSince !== undefined && now - wellSince >= Duration.toMillis(calmFor)
      })

      const isBack = look.pipe(Effect.delay(checkEvery), Effect.repeat({ until: (isOver) => isOver }))

      const remind = Effect.suspend(() =>
        Effect.logWarning(`The store is still away: ${counted(failures)} failed for it so far: ${reason}`)
      ).pipe(Effect.delay(reminderEvery), Effect.forever)

      const watch = Effect.gen(function* () {
        yield* isAway.await
        const since = yield* Clock.currentTimeMillis
        yield* Effect.logWarning(`The store is away, and requests are refused until it is back: ${reason}`)
        yield* Effect.raceFirst(isBack, remind)
        const away = Duration.millis((wellSince ?? since) - since)
        yield* Effect.logInfo(
          `The store is back after ${inWholeUnits(away)}: ${counted(failures)} failed for it`
        )
        failures = 0
        yield* isAway.close
      })

      yield* Effect.forkScoped(Effect.forever(watch))

      const heard = Logger.make<unknown, void>((event) => {
        const absence = absenceIn(event.cause)
        if (absence !== undefined) return note(absence)
        for (const logger of loggers) logger.log(event)
      })
      return Layer.succeed(Logger.CurrentLoggers, new Set([heard]))
    })
  )

const counted = (failures: number): string =>
  failures === 1 ? "1 request or round" : `${failures} requests and rounds`
