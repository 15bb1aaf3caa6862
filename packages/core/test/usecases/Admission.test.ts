import { assert, describe, it } from "@effect/vitest"
import type { CreateExecution } from "@runhook/core/domain/execution/CreateExecution"
import { Admission } from "@runhook/core/usecases/Admission"
import { Agents } from "@runhook/core/usecases/Agents"
import { Tasks } from "@runhook/core/usecases/Tasks"
import { second } from "@runhook/store-testing/Fixtures"
import { engine } from "@runhook/test-support/engine/Engine"
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
  it.effect("a request that names neither task nor version", () =>
    Effect.gen(function* () {
      const refusal = yield* refusalOf(yield* makeTenant(), { taskId: undefined })

      assert.strictEqual(refusal._tag, "InvalidField")
      assert.strictEqual(refusal.message, "task_id: task_id or task_version_id is required")
    }).pipe(Effect.provide(engine))
  )

  it.effect("a task of another account as if there were none", () =>
    Effect.gen(function* () {
      const { task } = yield* makeTenant()

      const refusal = yield* refusalOf(yield* makeTenant(), { taskId: task.id })

      assert.strictEqual(refusal._tag, "TaskNotFound")
    }).pipe(Effect.provide(engine))
  )

  it.effect("a version of another account as if there were none", () =>
    Effect.gen(function* () {
      const { version } = yield* makeTenant()

      const refusal = yield* refusalOf(yield* makeTenant(), { taskId: undefined, taskVersionId: version.id })

      assert.strictEqual(refusal._tag, "VersionNotFound")
    }).pipe(Effect.provide(engine))
  )

  it.effect("an agent of another account as if there were none", () =>
    Effect.gen(function* () {
      const { agent } = yield* makeTenant()

      const refusal = yield* refusalOf(yield* makeTenant(), { agentId: agent.id })

      assert.strictEqual(refusal._tag, "AgentNotFound")
    }).pipe(Effect.provide(engine))
  )

  it.effect("a version that is not of the task", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const version = yield* makeVersion(yield* makeTask(tenant.task, { slug: "other" }))

      const refusal = yield* refusalOf(tenant, { taskVersionId: version.id })

      assert.strictEqual(refusal._tag, "VersionNotFound")
    }).pipe(Effect.provide(engine))
  )

  it.effect("a task without any version", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const { id } = yield* makeTask(tenant.task, { slug: "other" })

      const refusal = yield* refusalOf(tenant, { taskId: id })

      assert.strictEqual(refusal.message, "The task has no such version: the current version")
    }).pipe(Effect.provide(engine))
  )

  it.effect("a disabled task, named by itself or by its version", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      yield* (yield* Tasks).update({ ...tenant.task, taskId: tenant.task.id }, { enabled: false })

      const byTask = yield* refusalOf(tenant, {})
      const byVersion = yield* refusalOf(tenant, { taskId: undefined, taskVersionId: tenant.version.id })

      assert.deepStrictEqual([byTask._tag, byVersion._tag], ["TaskDisabled", "TaskDisabled"])
    }).pipe(Effect.provide(engine))
  )

  it.effect("a disabled agent, but not a paused one", () =>
    Effect.gen(function* () {
      const agents = yield* Agents
      const tenant = yield* makeTenant()
      yield* agents.update(tenant.agent, { state: "paused" })
      yield* (yield* Admission).admit(tenant.caller, newRequest(tenant))
      yield* agents.update(tenant.agent, { state: "disabled" })

      const refusal = yield* refusalOf(tenant, {})

      assert.strictEqual(refusal._tag, "AgentDisabled")
    }).pipe(Effect.provide(engine))
  )

  it.effect("a task that the key may not use, also when only its version is named", () =>
    Effect.gen(function* () {
      const tenant = withScope(yield* makeTenant(), { allowedTaskIds: [] })

      const byTask = yield* refusalOf(tenant, {})
      const byVersion = yield* refusalOf(tenant, { taskId: undefined, taskVersionId: tenant.version.id })

      assert.deepInclude(byTask, { _tag: "ScopeViolation", field: "task_id", id: tenant.task.id })
      assert.deepStrictEqual(byVersion, byTask)
    }).pipe(Effect.provide(engine))
  )

  it.effect("an agent that the key may not use", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const other = yield* makeAgent(tenant.agent)

      const refusal = yield* refusalOf(withScope(tenant, { allowedAgentIds: [other.id] }), {})

      assert.deepInclude(refusal, { _tag: "ScopeViolation", field: "agent_id", id: tenant.agent.id })
    }).pipe(Effect.provide(engine))
  )

  it.effect("params that break the schema of the chosen version, not of another", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const paramsSchema = { type: "object", required: ["month"] }
      yield* makeVersion(tenant.task, { paramsSchema, makeCurrent: false })
      yield* (yield* Admission).admit(tenant.caller, newRequest(tenant, { v: 1 }))

      const refusal = yield* refusalOf(tenant, { v: 2 })

      assert.strictEqual(refusal._tag, "InvalidParams")
      assert.include(refusal.message, "The params do not")
      assert.include(refusal.message, "/month")
    }).pipe(Effect.provide(engine))
  )

  it.effect("a callback URL that may not be called", () =>
    Effect.gen(function* () {
      const refusal = yield* refusalOf(yield* makeTenant(), { callbackUrl: "http://127.1/hook" })

      assert.strictEqual(refusal._tag, "TargetRefused")
    }).pipe(Effect.provide(engine))
  )

  it.effect.each<{ readonly times: Partial<CreateExecution>; readonly rule: string }>([
    { times: { expiresAt: second(0) }, rule: "must be in the future" },
    { times: { expiresAt: second(-1) }, rule: "must be in the future" },
    { times: { expiresAt: second(60), scheduledAt: second(60) }, rule: "must be later than scheduled_at" },
    { times: { expiresAt: second(60), scheduledAt: second(61) }, rule: "must be later than scheduled_at" }
  ])("an expires_at that $rule", ({ times, rule }) =>
    Effect.gen(function* () {
      const refusal = yield* refusalOf(yield* makeTenant(), times)

      assert.strictEqual(refusal.message, `expires_at: ${rule}`)
    }).pipe(Effect.provide(engine))
  )
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

  it.effect("by task_version_id, then v, then version, else the current one", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(engine))
  )
})
