import { assert, describe } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { Executions } from "@runhook/core/executions/Executions"
import { Tasks } from "@runhook/core/catalog/Tasks"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import {
  current,
  executionsOf,
  makeExecution,
  makeTenant,
  makeVersion,
  newCall,
  type Tenant
} from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"

const asked = {
  params: { copies: 2 },
  reference: "order-7",
  metadata: { customer: "4711" },
  callbackUrl: "https://example.com/hook",
  priority: 7,
  timeoutSeconds: 60
}

const rerunOf = (
  tenant: Tenant,
  execution: { readonly id: Parameters<Executions["Service"]["rerun"]>[0]["id"] }
) => ({
  accountId: tenant.caller.accountId,
  id: execution.id,
  caller: tenant.caller,
  version: "same" as const,
  params: undefined,
  idempotencyKey: undefined,
  requestId: "req_again"
})

describe("Executions.rerun", () => {
  test("queues the same work anew, and leaves what was as it is", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const first = yield* makeExecution(tenant, { ...asked, scheduledAt: second(600), isHeld: true })
    yield* executions.stop({ ...first, to: "aborted", reason: null })
    const ended = yield* current(first)
    yield* makeVersion(tenant.task)

    const { execution, isDuplicate } = yield* executions.rerun(rerunOf(tenant, first))

    assert.isFalse(isDuplicate)
    assert.notStrictEqual(execution.id, first.id)
    assert.deepInclude(execution, {
      ...asked,
      params: StoredJson.of(asked.params),
      metadata: StoredJson.of(asked.metadata),
      status: "queued",
      scheduledAt: null,
      taskVersionId: tenant.version.id,
      rerunOf: first.id,
      requestId: "req_again"
    })
    assert.deepStrictEqual(yield* current(first), ended)
  })

  test("belongs to the trace of whoever asked for it, not to that of the original", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const [first, other, malformed] = ["a", "b", "?"].map((of) => `00-${of.repeat(32)}-${of.repeat(16)}-01`)
    const { execution } = yield* executions.create({ ...newCall(tenant), traceparent: first ?? null })

    const untraced = yield* executions.rerun(rerunOf(tenant, execution))
    const traced = yield* executions.rerun({ ...rerunOf(tenant, execution), traceparent: other ?? null })
    const odd = yield* executions.rerun({ ...rerunOf(tenant, execution), traceparent: malformed ?? null })

    assert.deepStrictEqual(
      [execution, untraced.execution, traced.execution, odd.execution].map((each) => each.traceparent),
      [first, null, other, null]
    )
  })

  test("takes other params and the current version when asked to", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const first = yield* makeExecution(tenant)
    const { id } = yield* makeVersion(tenant.task)

    const { execution } = yield* executions.rerun({
      ...rerunOf(tenant, first),
      version: "current",
      params: { copies: 9 }
    })

    assert.deepInclude(execution, { taskVersionId: id, params: StoredJson.of({ copies: 9 }) })
    assert.strictEqual(execution.reference, execution.id)
  })

  test("under an idempotency key makes one execution, also after the task has moved on", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const first = yield* makeExecution(tenant)
    const call = { ...rerunOf(tenant, first), version: "current" as const, idempotencyKey: "again" }
    const { execution } = yield* executions.rerun(call)
    yield* makeVersion(tenant.task)

    const again = yield* executions.rerun(call)
    const other = yield* Effect.flip(executions.rerun({ ...call, params: { copies: 3 } }))
    // The same request as the rerun made, but said by a create.
    const created = yield* Effect.flip(executions.create({ ...newCall(tenant), idempotencyKey: "again" }))

    assert.deepStrictEqual([again.execution.id, again.isDuplicate], [execution.id, true])
    assert.deepStrictEqual([other._tag, created._tag], ["IdempotencyConflict", "IdempotencyConflict"])
    assert.strictEqual((yield* executionsOf(tenant)).length, 2)
  })

  test("checks what a create checks, and knows no execution of another account", function* () {
    const executions = yield* Executions
    const tenant = yield* makeTenant()
    const first = yield* makeExecution(tenant)
    const stranger = yield* makeTenant()
    yield* (yield* Tasks).update(
      { accountId: tenant.caller.accountId, taskId: tenant.task.id },
      { enabled: false }
    )

    const disabled = yield* Effect.flip(executions.rerun(rerunOf(tenant, first)))
    const foreign = yield* Effect.flip(executions.rerun(rerunOf(stranger, first)))

    assert.deepStrictEqual([disabled._tag, foreign._tag], ["TaskDisabled", "ExecutionNotFound"])
  })
})

describe("Executions.reschedule", () => {
  test("refuses an end that has passed, or that lies before the start", function* () {
    const executions = yield* Executions
    const execution = yield* makeExecution(yield* makeTenant(), { expiresAt: second(100) })
    const rulesOf = (change: Parameters<typeof executions.reschedule>[1]) =>
      Effect.map(Effect.flip(executions.reschedule(execution, change)), ({ message }) => message)

    assert.deepStrictEqual(
      [
        yield* rulesOf({ expiresAt: second(-1) }),
        yield* rulesOf({ scheduledAt: second(100) }),
        yield* rulesOf({ scheduledAt: second(50), expiresAt: second(50) })
      ],
      [
        "expires_at: must be in the future",
        "scheduled_at: must be earlier than expires_at",
        "expires_at: must be later than scheduled_at"
      ]
    )
  })

  test("takes a start in the past for now", function* () {
    const executions = yield* Executions
    const execution = yield* makeExecution(yield* makeTenant(), { scheduledAt: second(100) })

    const moved = yield* executions.reschedule(execution, { scheduledAt: second(-5) })

    assert.isNull(moved.scheduledAt)
  })
})
