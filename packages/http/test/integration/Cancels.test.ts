import { assert, describe } from "@effect/vitest"
import { JobId } from "@runhook/core/shared/Ids"
import { CancelStore } from "@runhook/core/cancels/CancelStore"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { errorOf, id, jsonOf } from "../Hosts.ts"
import { Host, integrationClient, refusalOf, test } from "../Service.ts"
import { makeExecution, makeTenant, type Tenant } from "../Tenant.ts"

/** Takes some job of the service a bite further. */
const bite = Effect.gen(function* () {
  const store = yield* CancelStore
  const at = yield* DateTime.now
  for (const job of yield* store.due({ limit: 1, at }))
    yield* store.advance(job, { limit: 2, seenMax: 100, at })
})

const anything = { filter: {} }

/** Begins a job of the tenant's key. */
const begun = Effect.fnUntraced(function* (
  { integration }: Pick<Tenant, "integration">,
  payload: Parameters<Tenant["integration"]["executions"]["cancelAll"]>[0]["payload"] = anything,
  headers: { readonly "idempotency-key"?: string } = {}
) {
  const answer = yield* integration.executions.cancelAll({ params: {}, headers, payload })
  if (answer.job_id === null) return yield* Effect.die("it was only asked")
  return { ...answer, params: { id: answer.job_id } }
})

const keyOf = Effect.fnUntraced(function* (
  { admin, params }: Tenant,
  fields: Omit<Parameters<Tenant["admin"]["keys"]["create"]>[0]["payload"], "name">
) {
  const { key } = yield* admin.keys.create({ params, payload: { name: "Front office", ...fields } })
  return { key, integration: yield* integrationClient(key) }
})

describe("cancels of many executions, over the wire", () => {
  test("are accepted as jobs, and shown until everything that matched is aborted", function* () {
    const tenant = yield* makeTenant()
    const { integration, task } = tenant
    const made = yield* Effect.forEach([1, 2, 3], () => makeExecution(tenant))
    const host = yield* Host
    const reason = "The list was wrong"

    const accepted = yield* host("/api/v1/integrations/executions/cancel", {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.key.key}`, "content-type": "application/json" },
      body: JSON.stringify({ filter: { status: ["queued"], task_id: task.id }, reason })
    })
    const { job_id, matched } = yield* jsonOf(accepted)
    const params = { id: JobId.make(String(job_id)) }
    const later = yield* makeExecution(tenant)
    yield* bite
    const running = yield* integration.executions.job({ params })
    yield* bite
    const ended = yield* integration.executions.job({ params })

    assert.deepStrictEqual([accepted.status, matched], [202, 3])
    assert.deepInclude(running, { status: "running", matched: 3, cancelled: 2, finished_at: null, reason })
    assert.deepStrictEqual(running.filter, {
      status: ["queued"],
      task_id: task.id,
      agent_id: null,
      reference: null,
      schedule_id: null,
      from: null,
      to: null
    })
    assert.deepInclude(ended, { status: "completed", cancelled: 3, skipped: 0, failed: 0 })
    assert.deepStrictEqual(ended.finished_at, ended.updated_at)
    const statuses = yield* Effect.forEach([...made, later], ({ execution_id }) =>
      Effect.map(
        integration.executions.get({ params: { id: execution_id }, query: {} }),
        ({ status, status_reason }) => [status, status_reason]
      )
    )
    assert.deepStrictEqual(statuses, [...made.map(() => ["aborted", reason]), ["queued", null]])
  })

  test("are told of beforehand, to viewers as well, and none begins", function* () {
    const tenant = yield* makeTenant()
    const { admin, integration, params } = tenant
    yield* makeExecution(tenant)
    const payload = { filter: {}, dry_run: true }

    const byKey = yield* integration.executions.cancelAll({ params: {}, headers: {}, payload })
    const byOperator = yield* admin.executions.cancelAll({ params, headers: {}, payload })
    yield* bite
    const { data } = yield* integration.executions.list({ query: { status: ["queued"] } })

    for (const told of [byKey, byOperator]) {
      assert.deepInclude(told, { job_id: null, matched: 1, dry_run: true })
    }
    assert.lengthOf(data, 1)
  })

  test("begin once under one idempotency key, whose other use is a conflict", function* () {
    const tenant = yield* makeTenant()
    const key = { "idempotency-key": "night" }

    const first = yield* begun(tenant, anything, key)
    const again = yield* begun(tenant, anything, key)
    const refusal = yield* refusalOf(begun(tenant, { filter: { reference: "a" } }, key))

    assert.deepStrictEqual({ ...again, request_id: first.request_id }, { ...first, idempotent_replay: true })
    assert.notProperty(first, "idempotent_replay")
    assert.deepInclude(refusal, {
      code: "idempotency_conflict",
      details: { reason: "payload_mismatch", job_id: first.job_id }
    })
  })

  test("stop when they are stopped, by their key or an operator, however often", function* () {
    const tenant = yield* makeTenant()
    const { admin, integration, params } = tenant
    yield* Effect.forEach([1, 2, 3], () => makeExecution(tenant))
    const [one, other] = [yield* begun(tenant), yield* begun(tenant)]
    yield* bite

    const stopped = yield* integration.executions.cancelJob({ params: one.params })
    const again = yield* integration.executions.cancelJob({ params: one.params })
    const byOperator = yield* admin.executions.cancelJob({ params: { ...params, ...other.params } })

    assert.deepInclude(stopped, { status: "cancelled", cancelled: 2 })
    assert.deepStrictEqual({ ...again, request_id: stopped.request_id }, stopped)
    assert.strictEqual(byOperator.status, "cancelled")
  })

  test("of a limited key reach the executions of its tasks and agents alone", function* () {
    const tenant = yield* makeTenant()
    yield* makeExecution(tenant)
    const none = yield* keyOf(tenant, { allowed_task_ids: [] })
    const own = yield* keyOf(tenant, {
      allowed_task_ids: [tenant.task.id],
      allowed_agent_ids: [tenant.agent.id]
    })

    const nothing = yield* begun(none)
    yield* bite
    const { data } = yield* tenant.integration.executions.list({ query: { status: ["queued"] } })
    const all = yield* begun(own)

    assert.strictEqual(nothing.matched, 0)
    assert.lengthOf(data, 1)
    assert.strictEqual(all.matched, 1)
  })

  test("of other keys and accounts are unknown, and need the capability of a single cancel", function* () {
    const tenant = yield* makeTenant()
    const { params } = yield* begun(tenant)
    const stranger = yield* makeTenant()
    const neighbour = yield* keyOf(tenant, {})
    const reader = yield* keyOf(tenant, { capabilities: ["executions:read"] })

    const refusals = yield* Effect.forEach(
      [
        Effect.asVoid(neighbour.integration.executions.job({ params })),
        Effect.asVoid(neighbour.integration.executions.cancelJob({ params })),
        Effect.asVoid(stranger.integration.executions.job({ params })),
        Effect.asVoid(stranger.admin.executions.job({ params: { ...stranger.params, ...params } })),
        Effect.asVoid(tenant.integration.executions.job({ params: { id: JobId.make(id) } })),
        Effect.asVoid(begun(reader)),
        Effect.asVoid(reader.integration.executions.cancelJob({ params }))
      ],
      (call) => Effect.map(refusalOf(call), ({ code }) => code)
    )

    assert.deepStrictEqual(refusals, [
      ...Array.from({ length: 5 }, () => "not_found"),
      "forbidden",
      "forbidden"
    ])
  })

  test("are ten of an account at once, and the eleventh is told which they are", function* () {
    const tenant = yield* makeTenant()
    const running = yield* Effect.forEach(Array.from({ length: 10 }), () => begun(tenant))

    const refusal = yield* refusalOf(begun(tenant))

    assert.deepInclude(refusal, { code: "concurrency_limit_reached" })
    assert.deepStrictEqual(refusal.details, {
      scope: "jobs",
      limit: 10,
      job_ids: running.map(({ job_id }) => job_id)
    })
  })

  test("need a filter, and name the field that they do not take", function* () {
    const { key, params } = yield* makeTenant()
    const host = yield* Host
    const answered = (path: string, bearer: string, body: object) =>
      Effect.flatMap(
        host(path, {
          method: "POST",
          headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
          body: JSON.stringify(body)
        }),
        (answer) => Effect.map(errorOf(answer), ({ message }) => `${answer.status} ${message}`)
      )
    const [own, admin] = [
      "/api/v1/integrations/executions/cancel",
      `/api/v1/admin/accounts/${params.account_id}/executions/cancel`
    ]

    const refusals = [
      yield* answered(own, key.key, {}),
      yield* answered(own, key.key, { filter: { statuses: ["queued"] } }),
      yield* answered(own, key.key, { filter: { status: ["waiting"] } }),
      yield* answered(own, key.key, { filter: { find: "order" } }),
      yield* answered(admin, adminKey, { filter: {}, reason: "" })
    ]

    for (const [refusal, field] of [
      [refusals[0], "filter"],
      [refusals[1], "filter.statuses"],
      [refusals[2], "filter.status"],
      [refusals[3], "filter.find"],
      [refusals[4], "reason"]
    ] as const) {
      assert.match(refusal ?? "", /^400 /)
      assert.include(refusal, field)
    }
  })

  test("by an operator end as cancelled, each in the audit log", function* () {
    const tenant = yield* makeTenant()
    const { admin, integration, params } = tenant
    const { execution_id } = yield* makeExecution(tenant)

    const { job_id } = yield* admin.executions.cancelAll({
      params,
      headers: {},
      payload: { filter: { find: execution_id.slice(0, 13) } }
    })
    yield* bite
    const { status } = yield* integration.executions.get({ params: { id: execution_id }, query: {} })
    const entries = yield* admin.audit.list({ params, query: { kind: "execution" } })
    assert(typeof entries === "object")

    assert.isNotNull(job_id)
    assert.strictEqual(status, "cancelled")
    assert.deepStrictEqual(
      entries.data.map(({ action, subject }) => [action, subject.id]),
      [["execution.stopped", execution_id]]
    )
  })
})
