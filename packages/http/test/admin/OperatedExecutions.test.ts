import { assert, describe } from "@effect/vitest"
import { ExecutionId, InputId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { id } from "../Hosts.ts"
import { adminClient, refusalOf, test } from "../Service.ts"
import { makeExecution, makeTenant, someWork } from "../Tenant.ts"
import { callback_url, createIn, idOf, plain, requestOf } from "./KeyedExecutions.ts"

describe("what operators do with an execution", () => {
  test("releases it, and moves it in the queue until a runner has it", function* () {
    const work = yield* someWork
    const { admin, execution, params } = work
    const held = idOf(yield* createIn(work, { hold: true }))
    const named = { params: { ...params, id: held } }

    const before = yield* admin.executions.explain(named)
    const moved = yield* admin.executions.reschedule({ ...named, payload: { priority: 9 } })
    const released = yield* admin.executions.release(named)
    const after = yield* admin.executions.explain(named)
    const tooLate = yield* refusalOf(
      admin.executions.reschedule({ params: { ...params, ...execution }, payload: { priority: 9 } })
    )

    assert.deepStrictEqual(
      [before.state, before.blocked_by.map(({ kind }) => kind)],
      ["held", ["held", "agent_capacity"]]
    )
    assert.deepInclude(moved, { status: "pending", priority: 9 })
    assert.strictEqual(released.status, "queued")
    assert.deepInclude(after, { state: "waiting", position: 1, runners_online: 1 })
    assert.deepStrictEqual(tooLate.details, { reason: "not_waiting", status: "running" })
  })

  test("reads what happened and how far it is", function* () {
    const { admin, claim, execution, params, runner, session } = yield* someWork
    const named = { params: { ...params, ...execution } }
    const progress = { percent: 60, step: "printing" }
    yield* runner.runner.heartbeat({
      payload: {
        session_id: session.session_id,
        beats: [{ execution_id: claim.execution_id, epoch: claim.epoch, progress }]
      }
    })

    const { data } = yield* admin.executions.events({ ...named, headers: {}, query: { after: 1 } })
    const seen = yield* admin.executions.get({ ...named, query: {} })

    assert.deepStrictEqual(
      data.map(({ attempt, sequence, type }) => [sequence, type, attempt]),
      [
        [2, "claimed", 0],
        [3, "started", 1]
      ]
    )
    assert.deepInclude(seen.progress, { ...progress, message: null })
  })

  test("answers a question, by its schema", function* () {
    const { admin, execution, held, params, runner } = yield* someWork
    const { input_id } = yield* runner.runner.ask({
      ...held,
      payload: {
        ...held.payload,
        input_key: "code",
        prompt: "Which code?",
        schema: { type: "string", pattern: "^[0-9]{6}$" },
        expires_in_s: 60,
        on_timeout: "error",
        mode: "hold"
      }
    })
    const named = { params: { ...params, ...execution } }
    const answer = (value: string) =>
      admin.executions.answer({ params: { ...named.params, input_id }, payload: { value } })

    const wrong = yield* refusalOf(answer("12"))
    const right = yield* answer("123456")

    const { data } = yield* admin.executions.inputs(named)
    assert.strictEqual(wrong.code, "invalid_params")
    assert.strictEqual(right.status, "running")
    assert.deepStrictEqual(
      data.map(({ prompt, value }) => [prompt, value]),
      [["Which code?", "123456"]]
    )
  })

  test("touches nothing of another account", function* () {
    const tenant = yield* makeTenant()
    const { execution_id } = yield* makeExecution(tenant)
    const admin = yield* adminClient
    const other = yield* admin.accounts.create({ payload: { name: "Other" } })
    const named = { params: { account_id: other.id, id: execution_id } }
    const input = { params: { ...named.params, input_id: InputId.make(id) } }

    const refusals = yield* Effect.all([
      refusalOf(admin.executions.get({ ...named, query: {} })),
      refusalOf(admin.executions.rerun({ ...named, headers: {}, payload: null })),
      refusalOf(admin.executions.release(named)),
      refusalOf(admin.executions.reschedule({ ...named, payload: { priority: 1 } })),
      refusalOf(admin.executions.events({ ...named, headers: {}, query: {} })),
      refusalOf(admin.executions.explain(named)),
      refusalOf(admin.executions.inputs(named)),
      refusalOf(admin.executions.answer({ ...input, payload: { value: 1 } })),
      refusalOf(admin.executions.artifacts(named))
    ])
    const borrowed = yield* refusalOf(
      admin.executions.create({ params: { account_id: other.id }, ...plain, payload: requestOf(tenant) })
    )

    assert.deepStrictEqual(
      refusals.map(({ code }) => code),
      refusals.map(() => "not_found")
    )
    assert.deepStrictEqual(borrowed.details, { reason: "key_not_found", field: "key_id" })
  })
})

describe("executions that are removed", () => {
  test("stay until they have ended and their callbacks are settled, and are unknown then", function* () {
    const tenant = yield* makeTenant()
    const { admin, params } = tenant
    const [plainOne, told] = [yield* makeExecution(tenant), yield* createIn(tenant, { callback_url })]
    const ids = [ExecutionId.make(plainOne.execution_id), idOf(told)]
    const named = ids.map((execution) => ({ params: { ...params, id: execution } }))
    const before = yield* Effect.forEach(named, (one) => refusalOf(admin.executions.remove(one)))
    yield* Effect.forEach(named, (one) => admin.executions.cancel({ ...one, payload: null }))

    const removals = yield* Effect.forEach(named, (one) => Effect.exit(admin.executions.remove(one)))

    const after = yield* Effect.forEach(named, (one) => refusalOf(admin.executions.remove(one)))
    assert.deepStrictEqual(
      before.map(({ details }) => details),
      [{ reason: "unfinished" }, { reason: "unfinished" }]
    )
    assert.deepStrictEqual(removals.map(Exit.isSuccess), [true, false])
    assert.deepStrictEqual(
      after.map(({ code, details }) => [code, details]),
      [
        ["not_found", null],
        ["invalid_request", { reason: "callbacks_pending" }]
      ]
    )
  })
})
