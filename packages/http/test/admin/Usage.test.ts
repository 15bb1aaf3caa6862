import { assert, describe } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import { UsageStore } from "@runhook/core/usage/UsageStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { Host, refusalOf, test } from "../Service.ts"
import { claimNow, makeExecution, makeSession, makeTenant, someWork } from "../Tenant.ts"

const noLatency = { p50: null, p95: null }
const stored = TestClock.adjust("1 second")

describe("the usage of an account, over the wire", () => {
  test("is counted from what callers and runners do", function* () {
    const { admin, held, key, params, runner, task, ...tenant } = yield* someWork
    yield* TestClock.adjust("10 seconds")
    yield* runner.runner.complete({
      ...held,
      payload: { ...held.payload, outcome: "completed", result: { pages: 3 } }
    })
    yield* makeExecution({ ...tenant, admin, key, params, runner, task })
    yield* stored

    const { data, totals } = yield* admin.usage.counted({ params, query: {} })

    assert.lengthOf(data, 24)
    assert.lengthOf(totals, 1)
    const [total] = totals
    assert.deepInclude(total, {
      created: 2,
      started: 1,
      completed: 1,
      failed: 0,
      key_id: null,
      task_id: null
    })
    assert.strictEqual(total?.requests, 2)
    assert.deepStrictEqual(total?.callbacks, { delivered: 0, failed_attempts: 0, dead: 0 })
    assert.isAtMost(total?.to_start_ms.p95 ?? 99, 5)
    assert.isAtLeast(total?.to_finish_ms.p50 ?? 0, 6_000)
    assert.isAtMost(total?.to_finish_ms.p50 ?? 0, 15_000)
    assert.deepInclude(data[0], {
      created: 0,
      requests: 0,
      to_start_ms: noLatency,
      to_finish_ms: noLatency
    })
  })

  test("is told of each key and each task", function* () {
    const tenant = yield* makeTenant()
    const { admin, key, params, task } = tenant
    yield* makeExecution(tenant)
    yield* stored
    const counted = (query: Parameters<typeof admin.usage.counted>[0]["query"]) =>
      Effect.map(admin.usage.counted({ params, query }), ({ totals }) =>
        totals.map(({ callbacks, created, key_id, requests, task_id }) => ({
          callbacks: callbacks?.dead,
          created,
          key_id,
          requests,
          task_id
        }))
      )

    const found = yield* Effect.all([
      counted({ group: "key" }),
      counted({ group: "task", by: "day" }),
      counted({ key_id: key.id }),
      counted({ task_id: task.id }),
      counted({ task_id: task.id, to: DateTime.makeUnsafe("1969-12-01T00:00:00Z") })
    ])

    const ofKey = { callbacks: 0, created: 1, key_id: key.id, requests: 1, task_id: null }
    const ofTask = { callbacks: undefined, created: 1, key_id: null, requests: null, task_id: task.id }
    assert.deepStrictEqual(found, [[ofKey], [ofTask], [ofKey], [ofTask], []])
  })

  test("is refused by the field that does not go with the others", function* () {
    const { admin, key, params, task } = yield* makeTenant()

    const refused = yield* refusalOf(
      admin.usage.counted({ params, query: { key_id: key.id, task_id: task.id } })
    )

    assert.strictEqual(refused.code, "invalid_request")
    assert.match(refused.message, /^query\.task_id: /)
  })

  test("is not there for an account that is not", function* () {
    const { admin } = yield* makeTenant()
    const params = { account_id: AccountId.make("019bb138-1000-752e-9651-0c5ca6a3a450") }

    const refusals = yield* Effect.all([
      refusalOf(admin.usage.counted({ params, query: {} })),
      refusalOf(admin.usage.receivers({ params, query: {} })),
      refusalOf(admin.usage.overview({ params }))
    ])

    assert.deepStrictEqual(
      refusals.map(({ code }) => code),
      ["not_found", "not_found", "not_found"]
    )
  })
})

describe("the overview of an account, over the wire", () => {
  test("says what goes on, as of a second ago at most", function* () {
    const tenant = yield* makeTenant()
    const { admin, params } = tenant
    const nothing = yield* admin.usage.overview({ params })
    const session = yield* makeSession(tenant)
    yield* makeExecution(tenant)
    yield* makeExecution(tenant)
    yield* claimNow(tenant, session)
    yield* makeExecution(tenant, { callback_url: "https://hooks.example.com/" })

    const soon = yield* admin.usage.overview({ params })
    yield* TestClock.adjust("1001 millis")
    const { request_id: _, ...later } = yield* admin.usage.overview({ params })

    assert.deepInclude(nothing, { running: 0, queued: 0, slots: 1, runners: 0, oldest_queued_at: null })
    assert.deepInclude(soon, { queued: 0, runners: 0 })
    assert.deepStrictEqual(later, {
      running: 0,
      slots: 1,
      queued: 3,
      needs_input: 0,
      oldest_queued_at: later.oldest_queued_at,
      runners: 1,
      draining: 0,
      waiting_deliveries: 1,
      dead_letters: 0,
      counts_to: 10_000
    })
    assert.isNotNull(later.oldest_queued_at)
  })
})

describe("the receivers of an account, over the wire", () => {
  test("are shown with what waits and what came of it, the worst first", function* () {
    const tenant = yield* makeTenant()
    const { admin, params } = tenant
    const accountId = tenant.account.id
    yield* makeExecution(tenant, { callback_url: "https://untried.example.com/a" })
    const at = yield* DateTime.now
    const [good, bad] = ["https://good.example.com", "https://bad.example.com"]
    yield* UsageStore.use((store) =>
      store.add({
        sums: [],
        keyUses: [],
        receivers: [{ accountId, origin: good, at, delivered: 7, failed: 1 }],
        lastAttempts: [
          { accountId, origin: good, lastSuccessAt: at, lastFailure: null },
          { accountId, origin: bad, lastSuccessAt: null, lastFailure: { at, cause: "dns", status: null } }
        ]
      })
    )

    const all = yield* admin.usage.receivers({ params, query: {} })
    const worst = yield* admin.usage.receivers({ params, query: { limit: 1 } })

    assert.deepStrictEqual(
      all.data.map(({ origin, state, waiting }) => [origin, state, waiting]),
      [
        [bad, "failing", 0],
        ["https://untried.example.com", "untried", 1],
        [good, "healthy", 0]
      ]
    )
    assert.isFalse(all.is_more)
    assert.deepInclude(all.data[0], { last_failure: { cause: "dns", status: null }, until: null })
    assert.deepInclude(all.data[2], { delivered_24h: 7, failed_24h: 1, last_success_at: at })
    assert.deepStrictEqual([worst.data.length, worst.is_more], [1, true])
  })
})

describe("a key, over the wire", () => {
  test("shows when and from where it was last used, and what hangs on it", function* () {
    const tenant = yield* makeTenant()
    const { admin, key, params } = tenant
    const named = { params: { ...params, key_id: key.id } }
    const before = yield* admin.keys.get(named)
    yield* makeExecution(tenant, { callback_url: "https://hooks.example.com/" })
    const usedAt = yield* DateTime.now
    yield* stored

    const after = yield* admin.keys.get(named)
    const { data } = yield* admin.keys.list({ params, query: {} })

    assert.deepInclude(before, { last_used_at: null, last_used_from: null, requests_24h: 0 })
    assert.deepInclude(after, { requests_24h: 1, live_executions: 1, waiting_deliveries: 1 })
    assert.deepStrictEqual([after.last_used_at, data[0]?.last_used_at], [usedAt, usedAt])
  })

  test("is not used by who presents another secret under its prefix", function* () {
    const { admin, key, params } = yield* makeTenant()
    const send = yield* Host
    yield* send("/api/v1/integrations/agents", {
      headers: { authorization: `Bearer ${key.key.slice(0, -7)}0000000` }
    })
    yield* stored

    const after = yield* admin.keys.get({ params: { ...params, key_id: key.id } })

    assert.isNull(after.last_used_at)
  })
})
