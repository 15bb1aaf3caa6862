import { assert, describe, it } from "@effect/vitest"
import { ExecutionId, newId } from "@runhook/core/shared/Ids"
import { Signals, type Topic } from "@runhook/core/signals/Signals"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import { Draining } from "@runhook/core/engine/Draining"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { lastLookMax, lookEvery, lookUntil } from "@runhook/core/engine/LongPoll"
import * as Cause from "effect/Cause"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"

const layer = Draining.layer.pipe(
  Layer.provideMerge(InProcessSignals.layer),
  Layer.provideMerge(layerWebCrypto)
)

const makeTopic = () => Effect.map(newId(ExecutionId), (id): Topic => `execution:${id}`)

const turns = (count: number) => Effect.replicateEffect(Effect.yieldNow, count, { discard: true })

type Wait<Found> = Omit<Parameters<typeof lookUntil<Found, never, never, never>>[1], "listen">

/** A wait that a topic wakes. */
const lookOn = <Found>(topic: Topic, wait: Wait<Found>) =>
  Effect.gen(function* () {
    const signals = yield* Signals
    const listen = Effect.map(signals.subscribe([topic]), (woken) => ({ woken: [woken] }))
    return yield* lookUntil(yield* Draining, { ...wait, listen })
  })

/** A wait for a flag, whose looks take some turns before and after they read it. */
const makeWait = (
  flag: Ref.Ref<boolean>,
  options: { readonly topic: Topic; readonly before: number; readonly after: number }
) =>
  lookOn(options.topic, {
    wait: Duration.seconds(30),
    look: Effect.gen(function* () {
      yield* turns(options.before)
      const found = yield* Ref.get(flag)
      yield* turns(options.after)
      return { found, isFinal: found }
    })
  })

/** How many waits the metrics show. */
const counted = Effect.map(Metric.snapshot, (metrics) =>
  metrics.flatMap((metric) => (metric.id === "runhook_polls_waiting" ? [metric.state] : []))
).pipe(
  Effect.flatMap(Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ value: Schema.Number })]))),
  Effect.map(([state]) => state.value)
)

const FewTurns = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))

describe("lookUntil", () => {
  it.layer(layer)((it) => {
    it.effect.prop(
      "misses nothing, at whatever turn of a look it comes",
      [FewTurns, FewTurns, FewTurns],
      ([before, after, delay]) =>
        Effect.gen(function* () {
          const [signals, topic, flag] = [yield* Signals, yield* makeTopic(), yield* Ref.make(false)]
          const begun = yield* DateTime.now
          const waiting = yield* Effect.forkChild(makeWait(flag, { topic, before, after }))

          yield* turns(delay)
          yield* Ref.set(flag, true)
          yield* signals.notify([topic])

          // No time passes here, so that neither the end of the wait nor a look without a signal can help.
          assert.isTrue(yield* Fiber.join(waiting))
          assert.deepStrictEqual(yield* DateTime.now, begun)
        })
    )

    it.effect("looks again after 5 seconds although no signal came", () =>
      Effect.gen(function* () {
        const [topic, flag] = [yield* makeTopic(), yield* Ref.make(false)]
        const waiting = yield* Effect.forkChild(makeWait(flag, { topic, before: 0, after: 0 }), {
          startImmediately: true
        })

        yield* Ref.set(flag, true)
        yield* TestClock.adjust("5 seconds")

        assert.isTrue(yield* Fiber.join(waiting))
      })
    )

    it.effect("sees at its end what came in time without a signal", () =>
      Effect.gen(function* () {
        const [topic, flag] = [yield* makeTopic(), yield* Ref.make(false)]
        const waiting = yield* Effect.forkChild(makeWait(flag, { topic, before: 0, after: 0 }), {
          startImmediately: true
        })

        yield* TestClock.adjust("29 seconds")
        yield* Ref.set(flag, true)
        yield* TestClock.adjust("1 seconds")

        assert.isTrue(yield* Fiber.join(waiting))
      })
    )

    it.effect("is counted while it waits, however it ends", () =>
      Effect.gen(function* () {
        const [topic, flag] = [yield* makeTopic(), yield* Ref.make(false)]
        const begin = Effect.forkChild(makeWait(flag, { topic, before: 0, after: 0 }), {
          startImmediately: true
        })
        const [left, served] = [yield* begin, yield* begin]
        const whileBoth = yield* counted

        yield* Fiber.interrupt(left)
        const whileOne = yield* counted
        yield* Ref.set(flag, true)
        yield* TestClock.adjust("5 seconds")
        yield* Fiber.join(served)

        assert.deepStrictEqual([whileBoth, whileOne, yield* counted], [2, 1, 0])
      }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
    )

    it.effect("looks once when there is no time to wait", () =>
      Effect.gen(function* () {
        const [topic, looks] = [yield* makeTopic(), yield* Ref.make(0)]

        const found = yield* lookOn(topic, {
          wait: Duration.zero,
          look: Effect.map(
            Ref.updateAndGet(looks, (count) => count + 1),
            (count) => ({
              found: count,
              isFinal: false
            })
          )
        })

        assert.strictEqual(found, 1)
      })
    )
  })
})

/** A wait whose looks count up and are `answered` one by one. A stop is the end of its service, so each has its own. */
const makeCountingWait = Effect.fnUntraced(function* (isTaking: boolean) {
  const [topic, looks, answered] = [yield* makeTopic(), yield* Ref.make(0), yield* Queue.unbounded<void>()]
  const waiting = yield* lookOn(topic, {
    wait: Duration.seconds(30),
    isTaking,
    look: Effect.gen(function* () {
      const found = yield* Ref.updateAndGet(looks, (count) => count + 1)
      // As a statement whose database does not even hear that it was given up.
      yield* Effect.uninterruptible(Queue.take(answered))
      return { found, isFinal: false }
    })
  }).pipe(Effect.forkChild({ startImmediately: true }))
  yield* Queue.offer(answered, undefined)
  yield* TestClock.adjust("1 millis")
  return { answered, looks, waiting }
})

const begin = Effect.flatMap(Draining, (draining) => draining.begin)

describe("a wait whose service stops", () => {
  it.effect("ends at once with what was last found, and looks no more", () =>
    Effect.gen(function* () {
      const { looks, waiting } = yield* makeCountingWait(false)

      yield* begin

      assert.strictEqual(yield* Fiber.join(waiting), 1)
      assert.strictEqual(yield* Ref.get(looks), 1)
    }).pipe(Effect.provide(layer))
  )

  it.effect("lets the look that is under way end", () =>
    Effect.gen(function* () {
      const { answered, waiting } = yield* makeCountingWait(false)
      yield* TestClock.adjust(lookEvery)

      yield* begin
      yield* Queue.offer(answered, undefined)

      assert.strictEqual(yield* Fiber.join(waiting), 2)
    }).pipe(Effect.provide(layer))
  )

  it.effect("ends in time with what was last found when its look does not", () =>
    Effect.gen(function* () {
      const { looks, waiting } = yield* makeCountingWait(false)
      yield* TestClock.adjust(lookEvery)

      yield* begin
      yield* TestClock.adjust(lastLookMax)

      assert.strictEqual(yield* Fiber.join(waiting), 1)
      assert.strictEqual(yield* Ref.get(looks), 2)
    }).pipe(Effect.provide(layer))
  )

  it.effect("asks its caller to come again when the look may have taken what it found", () =>
    Effect.gen(function* () {
      const { waiting } = yield* makeCountingWait(true)
      yield* TestClock.adjust(lookEvery)

      yield* begin
      yield* TestClock.adjust(lastLookMax)

      const exit = yield* Fiber.await(waiting)
      assert.isTrue(Exit.isFailure(exit) && isStoreUnavailable(Cause.squash(exit.cause)))
    }).pipe(Effect.provide(layer))
  )

  it.effect("looks once for who comes after that", () =>
    Effect.gen(function* () {
      yield* begin

      const { looks, waiting } = yield* makeCountingWait(false)

      assert.strictEqual(yield* Fiber.join(waiting), 1)
      assert.strictEqual(yield* Ref.get(looks), 1)
    }).pipe(Effect.provide(layer))
  )
})
