import { assert, describe, it } from "@effect/vitest"
import type { CreateExecution } from "@runhook/core/executions/create/CreateExecution"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { ExecutionLimits } from "@runhook/core/Settings"
import { Executions } from "@runhook/core/executions/Executions"
import { second } from "@runhook/store-testing/Fixtures"
import { engine } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { current, executionsOf, makeTenant, newCall } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const twoLive = engine.pipe(
  Layer.provide(
    Layer.succeed(ExecutionLimits, {
      accountMaxLive: 2,
      accountRateLimit: null,
      idempotencyLifetime: Duration.days(7),
      waitMax: Duration.seconds(60)
    })
  )
)

describe("Executions.create", () => {
  test("queues an execution of the current version, with the defaults", function* () {
    const tenant = yield* makeTenant({ task: { timeoutSeconds: 90, maxAttempts: 3 } })

    const { execution, isDuplicate } = yield* (yield* Executions).create(newCall(tenant))

    assert.isFalse(isDuplicate)
    assert.deepStrictEqual(execution, yield* current(execution))
    assert.strictEqual(execution.status, "queued")
    assert.strictEqual(execution.reference, execution.id)
    assert.strictEqual(execution.taskVersionId, tenant.version.id)
    assert.strictEqual(execution.timeoutSeconds, 90)
    assert.strictEqual(execution.maxAttempts, 3)
    assert.strictEqual(execution.requestId, "req_test")
    assert.deepStrictEqual(execution.createdAt, second(0))
  })

  test("keeps what the caller asks for", function* () {
    const tenant = yield* makeTenant({ task: { timeoutSeconds: 90 } })
    const asked = {
      params: { month: "2029-12" },
      reference: "invoice-7",
      metadata: { order: 7 },
      scheduledAt: second(60),
      expiresAt: second(120),
      priority: -5,
      timeoutSeconds: 30
    } satisfies Partial<CreateExecution>

    const { execution } = yield* (yield* Executions).create(newCall(tenant, asked))

    const kept = { ...asked, params: StoredJson.of(asked.params), metadata: StoredJson.of(asked.metadata) }
    assert.deepStrictEqual({ ...execution, ...kept }, execution)
  })

  test.each([-3_600, 0])("takes a time %d seconds from now for now", function* (seconds) {
    const call = newCall(yield* makeTenant(), { scheduledAt: second(seconds) })

    const { execution } = yield* (yield* Executions).create(call)

    assert.isNull(execution.scheduledAt)
  })

  test("holds an execution until it is released, once", function* () {
    const executions = yield* Executions
    const { execution } = yield* executions.create(newCall(yield* makeTenant(), { isHeld: true }))

    const released = yield* executions.release(execution)
    const again = yield* executions.release(execution)

    assert.strictEqual(execution.status, "pending")
    assert.strictEqual(released.status, "queued")
    assert.deepStrictEqual(again, released)
  })

  test("stores a callback URL in its plain spelling", function* () {
    const call = newCall(yield* makeTenant(), { callbackUrl: "HTTPS://Hooks.Example.com:443/a/../in?x=1" })

    const { execution } = yield* (yield* Executions).create(call)

    assert.strictEqual(execution.callbackUrl, "https://hooks.example.com/in?x=1")
  })

  it.effect("refuses an account that has as many unfinished executions as it may have", () =>
    Effect.gen(function* () {
      const executions = yield* Executions
      const call = newCall(yield* makeTenant())
      const { execution } = yield* executions.create(call)
      yield* executions.create(call)

      const refusal = yield* Effect.flip(executions.create(call))

      assert.strictEqual(refusal.message, "This account has reached its limit of 2 unfinished executions")
      yield* executions.stop({ ...execution, to: "aborted", reason: null })
      yield* executions.create(call)
    }).pipe(Effect.provide(twoLive))
  )

  test("refuses a key that has as many unfinished executions as it may have", function* () {
    const executions = yield* Executions
    const call = newCall(yield* makeTenant({ key: { maxLive: 1 } }))
    yield* executions.create(call)

    const refusal = yield* Effect.flip(executions.create(call))

    assert.strictEqual(refusal.message, "This key has reached its limit of 1 unfinished executions")
  })

  it.effect("never passes the limit, however many come at once", () =>
    Effect.gen(function* () {
      const executions = yield* Executions
      const tenant = yield* makeTenant()
      const creates = Effect.replicateEffect(Effect.exit(executions.create(newCall(tenant))), 20, {
        concurrency: "unbounded"
      })

      const exits = yield* creates

      assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 2)
      assert.strictEqual((yield* executionsOf(tenant)).length, 2)
    }).pipe(Effect.provide(twoLive))
  )

  test("stores nothing when it only validates", function* () {
    const tenant = yield* makeTenant()
    const { caller, request } = newCall(tenant)

    yield* (yield* Executions).validate(caller, request)

    assert.deepStrictEqual(yield* executionsOf(tenant), [])
  })

  test("validates as strictly as it creates", function* () {
    const executions = yield* Executions
    const call = newCall(yield* makeTenant(), { expiresAt: second(0) })

    const invalid = yield* Effect.flip(executions.validate(call.caller, call.request))

    assert.deepStrictEqual(invalid, yield* Effect.flip(executions.create(call)))
  })
})
