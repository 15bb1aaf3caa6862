import { assert, describe } from "@effect/vitest"
import type { CreateExecution } from "@runhook/core/executions/create/CreateExecution"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Executions } from "@runhook/core/executions/Executions"
import { Tasks } from "@runhook/core/catalog/Tasks"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import {
  current,
  executionsOf,
  makeTenant,
  newCall,
  newKey,
  type Tenant
} from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

/** A create under the one idempotency key of these tests. */
const newKeyedCall = (tenant: Tenant, fields: Partial<CreateExecution> = {}) => ({
  ...newCall(tenant, fields),
  idempotencyKey: "order-7"
})

describe("Executions.create with an idempotency key", () => {
  test.each([
    { key: undefined, expected: 0 },
    { key: "order-7", expected: 1 }
  ])("reads a request to tell it from others only under a key: $key", function* ({ expected, key }) {
    let readings = 0
    const call = newCall(yield* makeTenant())
    const request = {
      ...call.request,
      toJSON: () => {
        readings++
        return call.request
      }
    }

    yield* (yield* Executions).create({ ...call, request, idempotencyKey: key })

    assert.strictEqual(readings, expected)
  })

  test("makes one execution of forty equal requests at once", function* () {
    const tenant = yield* makeTenant()
    const create = (yield* Executions).create(newKeyedCall(tenant))

    const answers = yield* Effect.replicateEffect(create, 40, { concurrency: "unbounded" })

    assert.strictEqual(answers.filter(({ isDuplicate }) => !isDuplicate).length, 1)
    assert.strictEqual(new Set(answers.map(({ execution }) => execution.id)).size, 1)
    assert.strictEqual((yield* executionsOf(tenant)).length, 1)
  })

  test("answers a repeat with the execution as it is now, whatever the order of its keys", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const { execution } = yield* executions.create(newKeyedCall(tenant, { params: { a: 1, b: 2 } }))
    yield* executions.stop({ ...execution, to: "aborted", reason: null })

    const duplicate = yield* executions.create(newKeyedCall(tenant, { params: { b: 2, a: 1 } }))

    assert.deepStrictEqual(duplicate, { execution: yield* current(execution), isDuplicate: true })
    assert.strictEqual(duplicate.execution.status, "aborted")
  })

  test("answers a repeat although its task is disabled by now", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const { execution } = yield* executions.create(newKeyedCall(tenant))
    yield* (yield* Tasks).update({ ...tenant.caller, taskId: tenant.task.id }, { enabled: false })

    const duplicate = yield* executions.create(newKeyedCall(tenant))

    assert.deepStrictEqual(duplicate, { execution, isDuplicate: true })
  })

  test("answers a repeat although its agent is removed by now", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const { execution } = yield* executions.create(newKeyedCall(tenant))
    yield* executions.stop({ ...execution, to: "aborted", reason: null })
    yield* (yield* Agents).remove(tenant.agent)

    const duplicate = yield* executions.create(newKeyedCall(tenant))

    assert.strictEqual(duplicate.execution.id, execution.id)
  })

  test("answers a repeat although its time to expire is over by now", function* () {
    const executions = yield* Executions
    const call = newKeyedCall(yield* makeTenant(), { expiresAt: second(60) })
    const { execution } = yield* executions.create(call)
    yield* TestClock.adjust("2 minutes")

    const duplicate = yield* executions.create(call)

    assert.deepStrictEqual(duplicate, { execution, isDuplicate: true })
  })

  test.each<{ readonly what: string; readonly fields: Partial<CreateExecution> }>([
    { what: "acceptable", fields: { priority: 1 } },
    { what: "not acceptable", fields: { expiresAt: second(-1) } }
  ])("refuses another request under the key, $what in itself", function* ({ fields }) {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const { execution } = yield* executions.create(newKeyedCall(tenant))

    const refusal = yield* Effect.flip(executions.create(newKeyedCall(tenant, fields)))

    assert.deepInclude(refusal, { _tag: "IdempotencyConflict", executionId: execution.id })
  })

  test("leaves the key free when the first request was refused", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    yield* Effect.flip(executions.create(newKeyedCall(tenant, { expiresAt: second(-1) })))

    const { isDuplicate } = yield* executions.create(newKeyedCall(tenant))

    assert.isFalse(isDuplicate)
  })

  test("knows nothing of the same key under another API key", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    yield* executions.create(newKeyedCall(tenant))
    const { record } = yield* (yield* ApiKeys).create(newKey(tenant.caller))

    const { isDuplicate } = yield* executions.create({ ...newKeyedCall(tenant), caller: record })

    assert.isFalse(isDuplicate)
  })

  test("forgets the key after seven days", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    yield* executions.create(newKeyedCall(tenant))

    yield* TestClock.adjust(Duration.subtract(Duration.days(7), Duration.millis(1)))
    const before = yield* executions.create(newKeyedCall(tenant))
    yield* TestClock.adjust("1 millis")
    const after = yield* executions.create(newKeyedCall(tenant))

    assert.deepStrictEqual([before.isDuplicate, after.isDuplicate], [true, false])
  })
})
