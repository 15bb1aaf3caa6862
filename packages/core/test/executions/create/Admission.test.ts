import { assert, describe } from "@effect/vitest"
import type { CreateExecution } from "@runhook/core/executions/create/CreateExecution"
import { Admission } from "@runhook/core/executions/create/Admission"
import { Agents } from "@runhook/core/catalog/Agents"
import { Tasks } from "@runhook/core/catalog/Tasks"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import {
  makeAgent,
  makeTask,
  makeTenant,
  makeVersion,
  newRequest,
  type Tenant
} from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"

/** What is said to a request that is refused. */
const refusalOf = Effect.fnUntraced(function* (tenant: Tenant, fields: Partial<CreateExecution>) {
  const admission = yield* Admission
  return yield* Effect.flip(admission.admit(tenant.caller, newRequest(tenant, fields)))
})

/** The tenant with a key that may use what the fields say. */
const withScope = (tenant: Tenant, scope: Partial<Tenant["caller"]>): Tenant => ({
  ...tenant,
  caller: { ...tenant.caller, ...scope }
})

describe("Admission refuses", () => {
  test("a request that names neither task nor version", function* () {
    const refusal = yield* refusalOf(yield* makeTenant(), { taskId: undefined })

    assert.strictEqual(refusal._tag, "InvalidField")
    assert.strictEqual(refusal.message, "task_id: task_id or task_version_id is required")
  })

  test("a task of another account as if there were none", function* () {
    const { task } = yield* makeTenant()

    const refusal = yield* refusalOf(yield* makeTenant(), { taskId: task.id })

    assert.strictEqual(refusal._tag, "TaskNotFound")
  })

  test("a version of another account as if there were none", function* () {
    const { version } = yield* makeTenant()

    const refusal = yield* refusalOf(yield* makeTenant(), { taskId: undefined, taskVersionId: version.id })

    assert.strictEqual(refusal._tag, "VersionNotFound")
  })

  test("an agent of another account as if there were none", function* () {
    const { agent } = yield* makeTenant()

    const refusal = yield* refusalOf(yield* makeTenant(), { agentId: agent.id })

    assert.strictEqual(refusal._tag, "AgentNotFound")
  })

  test("a version that is not of the task", function* () {
    const tenant = yield* makeTenant()
    const version = yield* makeVersion(yield* makeTask(tenant.task, { slug: "other" }))

    const refusal = yield* refusalOf(tenant, { taskVersionId: version.id })

    assert.strictEqual(refusal._tag, "VersionNotFound")
  })

  test("a task without any version", function* () {
    const tenant = yield* makeTenant()
    const { id } = yield* makeTask(tenant.task, { slug: "other" })

    const refusal = yield* refusalOf(tenant, { taskId: id })

    assert.strictEqual(refusal.message, "The task has no such version: the current version")
  })

  test("a disabled task, named by itself or by its version", function* () {
    const tenant = yield* makeTenant()
    yield* (yield* Tasks).update({ ...tenant.task, taskId: tenant.task.id }, { enabled: false })

    const byTask = yield* refusalOf(tenant, {})
    const byVersion = yield* refusalOf(tenant, { taskId: undefined, taskVersionId: tenant.version.id })

    assert.deepStrictEqual([byTask._tag, byVersion._tag], ["TaskDisabled", "TaskDisabled"])
  })

  test("a disabled agent, but not a paused one", function* () {
    const agents = yield* Agents
    const tenant = yield* makeTenant()
    yield* agents.update(tenant.agent, { state: "paused" })
    yield* (yield* Admission).admit(tenant.caller, newRequest(tenant))
    yield* agents.update(tenant.agent, { state: "disabled" })

    const refusal = yield* refusalOf(tenant, {})

    assert.strictEqual(refusal._tag, "AgentDisabled")
  })

  test("a task that the key may not use, also when only its version is named", function* () {
    const tenant = withScope(yield* makeTenant(), { allowedTaskIds: [] })

    const byTask = yield* refusalOf(tenant, {})
    const byVersion = yield* refusalOf(tenant, { taskId: undefined, taskVersionId: tenant.version.id })

    assert.deepInclude(byTask, { _tag: "ScopeViolation", field: "task_id", id: tenant.task.id })
    assert.deepStrictEqual(byVersion, byTask)
  })

  test("an agent that the key may not use", function* () {
    const tenant = yield* makeTenant()
    const other = yield* makeAgent(tenant.agent)

    const refusal = yield* refusalOf(withScope(tenant, { allowedAgentIds: [other.id] }), {})

    assert.deepInclude(refusal, { _tag: "ScopeViolation", field: "agent_id", id: tenant.agent.id })
  })

  test("params that break the schema of the chosen version, not of another", function* () {
    const tenant = yield* makeTenant()
    const paramsSchema = { type: "object", required: ["month"] }
    yield* makeVersion(tenant.task, { paramsSchema, makeCurrent: false })
    yield* (yield* Admission).admit(tenant.caller, newRequest(tenant, { v: 1 }))

    const refusal = yield* refusalOf(tenant, { v: 2 })

    assert.strictEqual(refusal._tag, "InvalidParams")
    assert.include(refusal.message, "The params do not")
    assert.include(refusal.message, "/month")
  })

  test("a callback URL that may not be called", function* () {
    const refusal = yield* refusalOf(yield* makeTenant(), { callbackUrl: "http://127.1/hook" })

    assert.strictEqual(refusal._tag, "TargetRefused")
  })

  test.each<{ readonly times: Partial<CreateExecution>; readonly rule: string }>([
    { times: { expiresAt: second(0) }, rule: "must be in the future" },
    { times: { expiresAt: second(-1) }, rule: "must be in the future" },
    { times: { expiresAt: second(60), scheduledAt: second(60) }, rule: "must be later than scheduled_at" },
    { times: { expiresAt: second(60), scheduledAt: second(61) }, rule: "must be later than scheduled_at" }
  ])("an expires_at that $rule", function* ({ times, rule }) {
    const refusal = yield* refusalOf(yield* makeTenant(), times)

    assert.strictEqual(refusal.message, `expires_at: ${rule}`)
  })
})

describe("Admission chooses the version", () => {
  /** A task whose versions 1 to 4 are current, tagged, second to last and last. */
  const makeTaskOfFour = Effect.fnUntraced(function* () {
    const tenant = yield* makeTenant()
    const others = [{ tags: ["stable"] }, {}, {}]
    const rest = yield* Effect.forEach(others, (fields) =>
      makeVersion(tenant.task, { ...fields, makeCurrent: false })
    )
    return { tenant, ids: [tenant.version, ...rest].map(({ id }) => id) }
  })

  test("by task_version_id, then v, then version, else the current one", function* () {
    const admission = yield* Admission
    const { tenant, ids } = yield* makeTaskOfFour()
    const version = { _tag: "ByTag", name: "stable" } as const
    const selectors: ReadonlyArray<Partial<CreateExecution>> = [
      {},
      { version: { _tag: "Current" } },
      { version },
      { version, v: 3 },
      { version, v: 3, taskVersionId: ids[3] },
      { version, v: 3, taskVersionId: ids[3], taskId: undefined }
    ]

    const chosen = yield* Effect.forEach(selectors, (fields) =>
      admission.admit(tenant.caller, newRequest(tenant, fields))
    )

    assert.deepStrictEqual(
      chosen.map((admitted) => admitted.version.number),
      [1, 1, 2, 3, 4, 4]
    )
  })
})
