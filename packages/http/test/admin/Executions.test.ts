import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId, ExecutionId, InputId } from "@runhook/core/domain/Ids"
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { aBrowser } from "../Browser.ts"
import { errorOf, id } from "../Harness.ts"
import { adminClient, refusalOf, service } from "../Service.ts"
import { anExecution, aTenant, someWork, type Tenant } from "../Tenant.ts"

const callback_url = "https://receiver.example.com/hooks"

/** A request in the name of the tenant's key. */
const requestOf = ({ agent, key, task }: Tenant) => ({ key_id: key.id, agent_id: agent.id, task_id: task.id })

const plain = { headers: {}, query: {} }

type Create = Parameters<Tenant["admin"]["executions"]["create"]>[0]

const createIn = (
  tenant: Tenant,
  payload: Partial<Create["payload"]> = {},
  more: Partial<Pick<Create, "headers" | "query">> = {}
) =>
  tenant.admin.executions.create({
    params: tenant.params,
    ...plain,
    ...more,
    payload: { ...requestOf(tenant), ...payload }
  })

const idOf = (answer: object): ExecutionId =>
  "execution_id" in answer ? ExecutionId.make(String(answer.execution_id)) : assert.fail("nothing was made")

describe("executions in the name of a key", () => {
  it.effect("are the key's own: it finds them, and signs their callbacks", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant

      const execution = idOf(yield* createIn(tenant, { callback_url, reference: "order-7" }))

      const seen = yield* tenant.admin.executions.get({
        params: { ...tenant.params, id: execution },
        query: {}
      })
      const own = yield* tenant.integration.executions.get({ params: { id: execution }, query: {} })
      const { data } = yield* tenant.integration.webhooks.list({ query: { execution_id: execution } })
      assert.deepInclude(seen, {
        key_id: tenant.key.id,
        callback_url,
        agent_name: "Press",
        task_name: "Print",
        task_slug: "print",
        task_version_number: 1,
        progress: null
      })
      assert.deepStrictEqual(
        seen.callbacks.map(({ state, type }) => [type, state]),
        [["execution.queued", "pending"]]
      )
      assert.strictEqual(own.reference, "order-7")
      assert.deepStrictEqual(
        data.map(({ key_id }) => key_id),
        [tenant.key.id]
      )
    }).pipe(Effect.provide(service))
  )

  it.effect("are made once under one idempotency key, and not at all when only checked", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant
      const keyed = { headers: { "idempotency-key": "again" } }

      const checked = yield* createIn(tenant, {}, { query: { validate_only: "true" } })
      const first = yield* createIn(tenant, {}, keyed)
      const again = yield* createIn(tenant, {}, keyed)

      const { data } = yield* tenant.admin.executions.list({ params: tenant.params, query: {} })
      assert.deepInclude(checked, { would_create: true })
      assert.deepInclude(again, { execution_id: idOf(first), idempotent_replay: true })
      assert.deepStrictEqual(
        data.map((each) => each.id),
        [idOf(first)]
      )
    }).pipe(Effect.provide(service))
  )

  it.effect("are checked by viewers as well, and queued by admins alone", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant
      const viewer = yield* aBrowser(tenant.account.id, { role: "viewer" })
      const path = `/api/v1/admin/accounts/${tenant.account.id}/executions`
      const body = JSON.stringify(requestOf(tenant))

      const checked = yield* viewer.send(`${path}?validate_only=true`, { method: "POST", body })
      const refused = yield* viewer.send(path, { method: "POST", body })

      const { data } = yield* tenant.admin.executions.list({ params: tenant.params, query: {} })
      assert.strictEqual(checked.status, 200)
      assert.deepStrictEqual((yield* errorOf(refused)).details, { reason: "role", required: "admin" })
      assert.deepStrictEqual(data, [])
    }).pipe(Effect.provide(service))
  )

  it.effect("keep to what the key may use, and need a key that opens something", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant
      const { admin, params } = tenant
      const narrow = yield* admin.keys.create({ params, payload: { name: "Narrow", allowed_task_ids: [] } })
      const gone = yield* admin.keys.create({ params, payload: { name: "Gone" } })
      yield* admin.keys.revoke({ params: { ...params, key_id: gone.id } })

      const outside = yield* refusalOf(createIn(tenant, { key_id: narrow.id }))
      const revoked = yield* refusalOf(createIn(tenant, { key_id: gone.id }))
      const unknown = yield* refusalOf(createIn(tenant, { key_id: ApiKeyId.make(id) }))

      assert.deepStrictEqual(outside.details, { reason: "scope_violation", field: "task_id" })
      assert.match(revoked.message, /key_id: names a key that was revoked/)
      assert.deepStrictEqual(unknown.details, { reason: "key_not_found" })
    }).pipe(Effect.provide(service))
  )

  it.effect("are run again in the name of the key they had, or of another", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant
      const { admin, key, params } = tenant
      const other = yield* admin.keys.create({ params, payload: { name: "Other" } })
      const first = idOf(yield* createIn(tenant, { reference: "order-7" }))
      const named = { params: { ...params, id: first } }

      const same = yield* admin.executions.rerun({ ...named, headers: {}, payload: null })
      const others = yield* admin.executions.rerun({
        ...named,
        headers: {},
        payload: { version: "current", key_id: other.id, params: { copies: 4 } }
      })

      const { data } = yield* admin.executions.list({ params, query: { reference: "order-7" } })
      assert.deepStrictEqual(
        data.map((each) => [each.id, each.key_id, each.rerun_of, each.params]),
        [
          [idOf(others), other.id, first, StoredJson.of({ copies: 4 })],
          [idOf(same), key.id, first, StoredJson.of({})],
          [first, key.id, null, StoredJson.of({})]
        ]
      )
    }).pipe(Effect.provide(service))
  )

  it.effect("are listed with how each of their callbacks fares", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant
      yield* createIn(tenant, { callback_url })
      yield* createIn(tenant)

      const { data } = yield* tenant.admin.executions.list({ params: tenant.params, query: {} })

      assert.deepStrictEqual(
        data.map((each) =>
          each.callbacks.map(({ attempts, last_status, state }) => [state, attempts, last_status])
        ),
        [[], [["pending", 0, null]]]
      )
    }).pipe(Effect.provide(service))
  )
})

describe("what operators do with an execution", () => {
  it.effect("releases it, and moves it in the queue until a runner has it", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(service))
  )

  it.effect("reads what happened and how far it is", () =>
    Effect.gen(function* () {
      const { admin, claim, execution, params, runner, session } = yield* someWork
      const named = { params: { ...params, ...execution } }
      const progress = { percent: 60, step: "printing" }
      yield* runner.runner.heartbeat({
        payload: {
          session_id: session.session_id,
          beats: [{ execution_id: claim.execution_id, epoch: claim.epoch, progress }]
        }
      })

      const { data } = yield* admin.executions.events({ ...named, query: { after: 1 } })
      const seen = yield* admin.executions.get({ ...named, query: {} })

      assert.deepStrictEqual(
        data.map(({ attempt, sequence, type }) => [sequence, type, attempt]),
        [
          [2, "claimed", 0],
          [3, "started", 1]
        ]
      )
      assert.deepInclude(seen.progress, { ...progress, message: null })
    }).pipe(Effect.provide(service))
  )

  it.effect("answers a question, by its schema", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(service))
  )

  it.effect("touches nothing of another account", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant
      const { execution_id } = yield* anExecution(tenant)
      const admin = yield* adminClient
      const other = yield* admin.accounts.create({ payload: { name: "Other" } })
      const named = { params: { account_id: other.id, id: execution_id } }
      const input = { params: { ...named.params, input_id: InputId.make(id) } }

      const refusals = yield* Effect.all([
        refusalOf(admin.executions.get({ ...named, query: {} })),
        refusalOf(admin.executions.rerun({ ...named, headers: {}, payload: null })),
        refusalOf(admin.executions.release(named)),
        refusalOf(admin.executions.reschedule({ ...named, payload: { priority: 1 } })),
        refusalOf(admin.executions.events({ ...named, query: {} })),
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
      assert.deepStrictEqual(borrowed.details, { reason: "key_not_found" })
    }).pipe(Effect.provide(service))
  )
})

describe("executions that are removed", () => {
  it.effect("stay until they have ended and their callbacks are settled, and are unknown then", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant
      const { admin, params } = tenant
      const [plainOne, told] = [yield* anExecution(tenant), yield* createIn(tenant, { callback_url })]
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
    }).pipe(Effect.provide(service))
  )
})
