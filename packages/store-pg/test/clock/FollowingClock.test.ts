import { assert, describe, it } from "@effect/vitest"
import { instantOf, ExecutionId, newId } from "@runhook/core/shared/Ids"
import * as FollowingClock from "@runhook/store-pg/clock/FollowingClock"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Statement from "effect/sql/Statement"
import { TestClock } from "effect/testing"
import { layerMigrated } from "../TestDatabase.ts"
import { databaseNow } from "./Skewed.ts"

const hour = Duration.toMillis("1 hour")

/** A process whose clock somebody sets: it is `aheadMillis` ahead of that of this machine. Its pauses are those of the test. */
const makeProcess = Effect.fnUntraced(function* () {
  const machine = yield* TestClock.withLive(Clock.Clock)
  const sleeping = yield* Clock.Clock
  const set = { aheadMillis: 0, passedMillis: 0 }
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => machine.currentTimeMillisUnsafe() + set.aheadMillis,
    currentTimeMillis: Effect.sync(() => clock.currentTimeMillisUnsafe()),
    currentTimeNanosUnsafe: () => BigInt(clock.currentTimeMillisUnsafe()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => clock.currentTimeNanosUnsafe()),
    monotonicTimeNanosUnsafe: () =>
      machine.monotonicTimeNanosUnsafe() + BigInt(set.passedMillis) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => clock.monotonicTimeNanosUnsafe()),
    sleep: (duration) => sleeping.sleep(duration)
  }
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(
    ({ logLevel, message }) => void lines.push(`${logLevel}: ${String(message)}`)
  )
  /** Follows the clock of the database until the scope ends. */
  const follow = Effect.map(
    Layer.build(
      Layer.fresh(FollowingClock.layer).pipe(
        Layer.provide([Layer.succeed(Clock.Clock, clock), Logger.layer([logger])])
      )
    ),
    (services) =>
      <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provide(effect, services)
  )
  return { follow, lines, set }
})

/** Whether a moment is the database's now, but for the time that a busy machine takes. */
const isNow = (moment: DateTime.Utc) =>
  Effect.map(databaseNow, (now) => Math.abs(Duration.toMinutes(DateTime.distance(now, moment))) < 10)

describe("FollowingClock", () => {
  it.layer(Layer.merge(layerMigrated, SecureRandom.layerWebCrypto))((it) => {
    it.effect.each([{ aheadMillis: hour }, { aheadMillis: -hour }])(
      "says what time it is for the database, to a process that is $aheadMillis ms ahead",
      ({ aheadMillis }) =>
        Effect.gen(function* () {
          const process = yield* makeProcess()
          process.set.aheadMillis = aheadMillis
          const followed = yield* process.follow

          const now = yield* followed(DateTime.now)
          const id = yield* followed(newId(ExecutionId))
          const nanos = yield* followed(Clock.currentTimeNanos)

          assert.isTrue(yield* isNow(now))
          assert.isTrue(yield* isNow(instantOf(id)))
          assert.isTrue(yield* isNow(DateTime.makeUnsafe(Number(nanos / 1_000_000n))))
        })
    )

    it.effect("is right from the beginning, however long the database's first answer takes", () =>
      Effect.gen(function* () {
        const process = yield* makeProcess()
        const slowly: Statement.Transformer = (statement) =>
          Effect.sync(() => {
            if (process.set.passedMillis === 0) process.set.passedMillis = hour
            return statement
          })

        const followed = yield* Effect.provideService(process.follow, Statement.CurrentTransformer, slowly)

        assert.isTrue(yield* isNow(yield* followed(DateTime.now)))
      })
    )

    it.effect("stays right when somebody sets the clock of the process", () =>
      Effect.gen(function* () {
        const process = yield* makeProcess()
        const followed = yield* process.follow

        process.set.aheadMillis = hour

        assert.isTrue(yield* isNow(yield* followed(DateTime.now)))
      })
    )

    it.effect(
      "goes on between two answers of the database by the time that passes, and is put right by the next",
      () =>
        Effect.gen(function* () {
          const process = yield* makeProcess()
          const followed = yield* process.follow
          const before = yield* followed(DateTime.now)

          process.set.passedMillis = hour
          const between = yield* followed(DateTime.now)
          const reading = Effect.andThen(TestClock.adjust(FollowingClock.readingEvery), databaseNow)
          const isRight = Effect.flatMap(followed(DateTime.now), isNow)
          yield* Effect.repeat(Effect.andThen(reading, isRight), { until: (is) => is, times: 1_000 })

          const passed = Duration.toMinutes(DateTime.distance(before, between))
          assert.isTrue(passed >= 60 && passed < 70, `${passed} minutes`)
          assert.isTrue(yield* isRight)
        })
    )

    it.effect("says once by how much they differ, again when that changes, and when it is over", () =>
      Effect.gen(function* () {
        const { follow, lines, set } = yield* makeProcess()
        /** Sets the clock, and reads the database's until so many lines are written. */
        const readUntil = (count: number, aheadMillis: number) => {
          set.aheadMillis = aheadMillis
          const reading = Effect.andThen(TestClock.adjust(FollowingClock.readingEvery), databaseNow)
          return Effect.repeat(reading, { until: () => lines.length >= count, times: 1_000 })
        }

        set.aheadMillis = hour
        yield* follow
        const first = [...lines]
        yield* readUntil(1, hour)
        yield* readUntil(2, -hour)
        yield* readUntil(3, 0)

        assert.lengthOf(first, 1)
        assert.match(
          first[0] ?? "",
          /^Warn: The clock of this process is 3[56]\d\d s ahead of the database's\. /
        )
        assert.lengthOf(lines, 3)
        assert.match(
          lines[1] ?? "",
          /^Warn: The clock of this process is 3[56]\d\d s behind the database's\. /
        )
        assert.strictEqual(lines[2], "Info: The clock of this process agrees with the database's again")
      })
    )

    it.effect("says nothing of clocks that agree", () =>
      Effect.gen(function* () {
        const { follow, lines } = yield* makeProcess()

        yield* follow

        assert.deepStrictEqual(lines, [])
      })
    )
  })
})
