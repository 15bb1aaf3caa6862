import { assert, describe, it } from "@effect/vitest"
import { waitAfter } from "@runhook/core/executions/RetryBackoff"
import { Sweeps } from "@runhook/core/sweeps/Sweeps"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { Executions } from "@runhook/core/executions/Executions"
import { Runs } from "@runhook/core/runs/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { adapters, stores, useCases } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import {
  idsOf,
  inFlightOf,
  makeClaimedRun,
  makeRunner,
  makeStartedRun,
  newQuestion,
  parked,
  poll,
  pollNow,
  startNext
} from "@runhook/test-support/engine/Runner"
import {
  current,
  makeExecution,
  makeTenant,
  newCall,
  type TenantFields
} from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"

/** Sweeps after that many seconds. */
const sweepAfter = Effect.fnUntraced(function* (seconds: number) {
  yield* TestClock.adjust(Duration.seconds(seconds))
  yield* (yield* Sweeps).round
})

const makeRun = Effect.fnUntraced(function* (fields: TenantFields = {}) {
  const tenant = yield* makeTenant(fields)
  const runner = yield* makeRunner(tenant)
  return { tenant, runner, ...(yield* makeStartedRun(tenant, runner)) }
})

describe("Sweeps.round", () => {
  test("ends started work whose runner is silent for the length of its lease, not before", function* () {
    const { execution } = yield* makeRun()

    yield* sweepAfter(59)
    const before = yield* current(execution)
    yield* sweepAfter(1)

    assert.strictEqual(before.status, "running")
    assert.deepInclude(yield* current(execution), {
      status: "error",
      errorMessage: "runner lost",
      stoppedAt: second(60)
    })
  })

  test("leaves work alone whose runner gives signs of life", function* () {
    const { execution, held, runner } = yield* makeRun()
    yield* TestClock.adjust("50 seconds")
    yield* pollNow(runner, { inFlight: [inFlightOf(held)] })

    yield* sweepAfter(50)

    assert.strictEqual((yield* current(execution)).status, "running")
  })

  test("queues started work again when its task allows another attempt, and gives it to who waits", function* () {
    const { execution, tenant } = yield* makeRun({ task: { maxAttempts: 2 } })
    const other = yield* makeRunner(tenant, { instanceId: "other" })
    yield* TestClock.adjust("60 seconds")
    const waiting = yield* parked(poll(other))

    yield* (yield* Sweeps).round

    yield* TestClock.adjust(waitAfter(yield* current(execution)))
    assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), [execution.id])
  })

  test("queues claimed work again that was not started in time, without using up an attempt", function* () {
    const tenant = yield* makeTenant()
    const runner = yield* makeRunner(tenant)
    const { execution, held } = yield* makeClaimedRun(tenant, runner)

    yield* sweepAfter(60)

    assert.deepInclude(yield* current(execution), { status: "queued", attempt: 0 })
    assert.strictEqual((yield* Effect.flip((yield* Runs).start(held)))._tag, "LeaseLost")
    assert.strictEqual((yield* startNext(runner)).id, execution.id)
  })

  test("ends an attempt that has used up its time, although its runner lives", function* () {
    const { execution } = yield* makeRun({ task: { timeoutSeconds: 10 } })

    yield* sweepAfter(10)

    assert.deepInclude(yield* current(execution), {
      status: "error",
      errorMessage: "timed out after 10 seconds"
    })
  })

  test.each([
    { onTimeout: "error", ended: { status: "error", errorMessage: 'input "code" was not answered in time' } },
    {
      onTimeout: "cancel",
      ended: { status: "cancelled", statusReason: 'input "code" was not answered in time' }
    },
    { onTimeout: "default", ended: { status: "running", inputRequest: null } }
  ] as const)("does what a question says about its time-out: $onTimeout", function* ({ ended, onTimeout }) {
    const { execution, held } = yield* makeRun()
    const question = newQuestion({ onTimeout, defaultValue: "0000", expiresIn: Duration.seconds(30) })
    yield* (yield* Runs).ask({ ...held, question })

    yield* sweepAfter(30)

    assert.deepInclude(yield* current(execution), ended)
  })

  test("tells the runner the default that stands in for an answer", function* () {
    const { held, runner } = yield* makeRun()
    const question = newQuestion({
      onTimeout: "default",
      defaultValue: "0000",
      expiresIn: Duration.seconds(20)
    })
    yield* (yield* Runs).ask({ ...held, question })
    const waiting = yield* parked(poll(runner, { inFlight: [inFlightOf(held)] }))

    yield* sweepAfter(20)

    const { commands } = yield* Fiber.join(waiting)
    assert.deepInclude(commands[0], { _tag: "InputAnswered", value: "0000" })
  })

  test("cancels what was not started before it expires, queued, held or claimed", function* () {
    const tenant = yield* makeTenant()
    const { execution } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant), {
      expiresAt: second(30)
    })
    const queued = yield* makeExecution(tenant, { expiresAt: second(30) })
    const heldBack = yield* makeExecution(tenant, { expiresAt: second(30), isHeld: true })
    const later = yield* makeExecution(tenant, { expiresAt: second(31) })

    yield* sweepAfter(30)

    const after = yield* Effect.forEach([execution, queued, heldBack, later], current)
    assert.deepStrictEqual(
      after.map(({ status }) => status),
      ["cancelled", "cancelled", "cancelled", "queued"]
    )
    assert.strictEqual(after[0]?.statusReason, "not started before expires_at")
  })

  test("leaves work alone that started before it expires", function* () {
    const tenant = yield* makeTenant()
    const { execution } = yield* makeStartedRun(tenant, yield* makeRunner(tenant), {
      expiresAt: second(30)
    })

    yield* sweepAfter(30)

    assert.strictEqual((yield* current(execution)).status, "running")
  })

  test("sweeps all there is, also when it is more than one statement takes", function* () {
    const tenant = yield* makeTenant()
    const executions = yield* Effect.replicateEffect(makeExecution(tenant, { expiresAt: second(30) }), 1_100)

    yield* sweepAfter(30)

    const after = yield* Effect.forEach(executions, current)
    assert.deepStrictEqual(new Set(after.map(({ status }) => status)), new Set(["cancelled"]))
  })

  test("forgets all idempotency keys whose time is over, however many", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const keys = Array.from({ length: 1_100 }, (_, index) => `order-${index}`)
    yield* Effect.forEach(keys, (idempotencyKey) => executions.create({ ...newCall(tenant), idempotencyKey }))

    yield* sweepAfter(7 * 24 * 3_600)

    const at = yield* DateTime.now
    assert.strictEqual((yield* (yield* SweepStore).prune("expired", { at, limit: 500 })).pruned, 0)
  })

  test("wakes the callers who wait for what it ends", function* () {
    const execution = yield* makeExecution(yield* makeTenant(), { expiresAt: second(4) })
    const waiting = yield* parked(
      (yield* Executions).awaitNews(execution, Duration.seconds(30), { show: Effect.succeed, key: null })
    )

    yield* sweepAfter(4)

    assert.strictEqual((yield* Fiber.join(waiting)).status, "cancelled")
  })

  it.effect("ends after a restart what the process before has left", () =>
    Effect.gen(function* () {
      const database = yield* Layer.build(stores)
      const otherProcess = Layer.fresh(useCases.pipe(Layer.provideMerge(adapters))).pipe(
        Layer.provideMerge(Layer.succeedContext(database))
      )
      const left = yield* Effect.gen(function* () {
        const { execution, tenant } = yield* makeRun({ task: { timeoutSeconds: 600 } })
        const { execution: asking, held } = yield* makeStartedRun(
          tenant,
          yield* makeRunner(tenant, { instanceId: "other" })
        )
        yield* (yield* Runs).ask({ ...held, question: newQuestion({ mode: "release" }) })
        const expiring = yield* makeExecution(tenant, { expiresAt: second(45) })
        return [execution, asking, expiring]
      }).pipe(Effect.provide(otherProcess))

      const after = yield* Effect.andThen(sweepAfter(60), Effect.forEach(left, current)).pipe(
        Effect.provide(otherProcess)
      )

      assert.deepStrictEqual(
        after.map(({ errorMessage, statusReason }) => errorMessage ?? statusReason),
        ["runner lost", 'input "code" was not answered in time', "not started before expires_at"]
      )
    })
  )
})
