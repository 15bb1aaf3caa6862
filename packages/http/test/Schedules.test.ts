/** Schedules over the wire: of an account for its keys, its people and the operator. */
import { assert, describe } from "@effect/vitest"
import * as DueSchedules from "@runhook/core/schedules/DueSchedules"
import type { ScheduleChangeBody } from "@runhook/contract/schedules/ScheduleWire"
import { ScheduleId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makeBrowser } from "./Browser.ts"
import { errorOf, id, jsonOf } from "./Hosts.ts"
import { Host, integrationClient, refusalOf, test } from "./Service.ts"
import { makeTenant, type Tenant } from "./Tenant.ts"

const params = {}
const unknown = ScheduleId.make(id)
const callback_url = "https://hooks.example.com/a?token=secret"

const executionOf = ({ agent, task }: Tenant) => ({ agent_id: agent.id, task_id: task.id })

const nightly = (tenant: Tenant) => ({
  name: "Invoices of the night",
  cron: "30 2 * * *",
  time_zone: "Europe/Berlin",
  execution: { ...executionOf(tenant), params: { copies: 2 }, reference: "order-1", callback_url }
})

const beginning = DateTime.makeUnsafe("2030-01-01T00:00:00.000Z")

/** A tenant of a day of which we know the nights. */
const makeTenantAtBeginning = () =>
  Effect.andThen(TestClock.setTime(beginning.epochMilliseconds), makeTenant())

describe("schedules", () => {
  test("are shown with what they create, and their next due times", function* () {
    const tenant = yield* makeTenantAtBeginning()
    const { integration, key } = tenant

    const created = yield* integration.schedules.create({ params, payload: nightly(tenant) })
    const { data } = yield* integration.schedules.list({ params, query: {} })

    const { request_id: _, ...schedule } = created
    assert.deepInclude(schedule, {
      key_id: key.id,
      every_seconds: null,
      overlap: "allow",
      missed: "last",
      jitter_seconds: 0,
      enabled: true,
      last: null
    })
    assert.deepStrictEqual(schedule.execution, {
      ...executionOf(tenant),
      params: { copies: 2 },
      reference: "order-1",
      metadata: {},
      callback_url,
      callback_events: null,
      priority: 0,
      hold: false,
      timeout_seconds: null,
      concurrency_key: null
    })
    assert.deepStrictEqual(
      schedule.next_at.map(DateTime.formatIso),
      [1, 2, 3, 4, 5].map((day) => `2030-01-0${day}T01:30:00.000Z`)
    )
    assert.deepStrictEqual(data, [schedule])
  })

  test("are given to the key that changes what they create, or when; not for a pause or a name", function* () {
    const tenant = yield* makeTenantAtBeginning()
    const { admin, integration, key } = tenant
    const other = yield* admin.keys.create({ params: tenant.params, payload: { name: "Other" } })
    const others = yield* integrationClient(other.key)
    const takes = {
      name: null,
      cron: { cron: "0 4 * * *" },
      time_zone: { time_zone: "UTC" },
      every_seconds: { every_seconds: 60 },
      starts_at: { starts_at: DateTime.add(beginning, { days: 1 }) },
      ends_at: { ends_at: DateTime.add(beginning, { days: 9 }) },
      overlap: { overlap: "skip" },
      missed: { missed: "all" },
      jitter_seconds: { jitter_seconds: 7 },
      enabled: { enabled: true },
      execution: { execution: executionOf(tenant) }
    } as const satisfies Readonly<Record<keyof typeof ScheduleChangeBody.fields, object | null>>

    for (const [field, payload] of Object.entries(takes)) {
      const { id: scheduleId } = yield* integration.schedules.create({ params, payload: nightly(tenant) })
      const ref = { params: { id: scheduleId } }
      const kept = yield* others.schedules.change({ ...ref, payload: { name: "Mine", enabled: false } })
      assert.strictEqual(kept.key_id, key.id)
      if (payload === null) continue
      const taken = yield* others.schedules.change({ ...ref, payload })
      assert.strictEqual(taken.key_id, other.id, field)
    }
  })

  test("are changed from one kind of times to the other, paused, and created anew from what is shown", function* () {
    const tenant = yield* makeTenantAtBeginning()
    const { schedules } = tenant.integration
    const { id: scheduleId } = yield* schedules.create({ params, payload: nightly(tenant) })
    const ref = { params: { id: scheduleId } }

    const often = yield* schedules.change({ ...ref, payload: { every_seconds: 60 } })
    const back = yield* schedules.change({ ...ref, payload: { cron: "0 4 * * *", time_zone: "UTC" } })
    const paused = yield* schedules.change({ ...ref, payload: { enabled: false } })
    const { version: _, ...execution } = paused.execution
    const same = yield* schedules.change({ ...ref, payload: { execution } })
    yield* schedules.remove(ref)

    assert.deepStrictEqual([often.cron, often.time_zone, often.every_seconds], [null, null, 60])
    assert.deepStrictEqual([back.cron, back.time_zone, back.every_seconds], ["0 4 * * *", "UTC", null])
    assert.deepStrictEqual([paused.enabled, paused.next_at], [false, []])
    assert.deepStrictEqual(same.execution, paused.execution)
    assert.strictEqual((yield* refusalOf(schedules.get(ref))).code, "not_found")
  })

  test("show what came of the last due time: an execution, or the error that a create would have had", function* () {
    const tenant = yield* makeTenantAtBeginning()
    const { admin, integration } = tenant
    const { bite } = yield* DueSchedules.makeDueSchedules
    const payload = { name: "Often", every_seconds: 60, execution: executionOf(tenant) }
    const { id: scheduleId } = yield* integration.schedules.create({ params, payload })
    const ref = { params: { id: scheduleId } }
    const lastAfter = (minutes: number) =>
      TestClock.setTime(DateTime.add(beginning, { minutes }).epochMilliseconds).pipe(
        Effect.andThen(bite),
        Effect.andThen(integration.schedules.get(ref)),
        Effect.map(({ enabled, last }) => ({ enabled, last }))
      )

    const created = yield* lastAfter(1)
    yield* admin.agents.update({
      params: { ...tenant.params, agent_id: tenant.agent.id },
      payload: { state: "disabled" }
    })
    const refused = yield* lastAfter(2)
    const query = { schedule_id: scheduleId }
    const { data } = yield* integration.executions.list({ query })
    yield* admin.keys.revoke({ params: { ...tenant.params, key_id: tenant.key.id } })
    yield* TestClock.setTime(DateTime.add(beginning, { minutes: 3 }).epochMilliseconds)
    yield* bite
    const stopped = yield* admin.schedules.get({ params: { ...tenant.params, id: scheduleId } })

    assert.lengthOf(data, 1)
    assert.strictEqual(data[0]?.schedule_id, scheduleId)
    assert.deepStrictEqual(created.last, {
      at: DateTime.add(beginning, { minutes: 1 }),
      execution_id: data[0]?.id ?? null,
      outcome: "created",
      error: null
    })
    assert.deepInclude(refused.last, { execution_id: null, outcome: "refused" })
    assert.deepInclude(refused.last?.error, {
      code: "invalid_request",
      details: { reason: "agent_disabled", field: "agent_id" }
    })
    assert.isTrue(refused.enabled)
    assert.deepStrictEqual([stopped.enabled, stopped.next_at], [false, []])
    assert.deepInclude(stopped.last?.error, {
      code: "forbidden",
      details: { reason: "key_unusable", state: "revoked" }
    })
  })

  test("create an execution at once when they are triggered, by their overlap policy", function* () {
    const tenant = yield* makeTenantAtBeginning()
    const { admin, integration } = tenant
    const payload = { ...nightly(tenant), overlap: "skip" as const, enabled: false }
    const { id: scheduleId } = yield* integration.schedules.create({ params, payload })

    const triggered = yield* integration.schedules.trigger({
      params: { id: scheduleId },
      payload: { params: { copies: 3 } }
    })
    const busy = yield* refusalOf(
      admin.schedules.trigger({ params: { ...tenant.params, id: scheduleId }, payload: null })
    )

    const execution = yield* integration.executions.get({
      params: { id: triggered.execution_id },
      query: {}
    })
    assert.deepInclude(triggered, { schedule_id: scheduleId, status: "queued" })
    assert.deepInclude(execution, { schedule_id: scheduleId })
    assert.deepStrictEqual([busy.code, busy.details], ["invalid_request", { reason: "overlap" }])
  })

  test("are those of one account, for keys that may read or write executions", function* () {
    const [ours, theirs] = [yield* makeTenant(), yield* makeTenant()]
    const { id: scheduleId } = yield* ours.integration.schedules.create({ params, payload: nightly(ours) })
    const ref = { params: { id: scheduleId } }
    const key = yield* ours.admin.keys.create({
      params: ours.params,
      payload: { name: "Reads", capabilities: ["executions:read"] }
    })
    const reader = yield* integrationClient(key.key)
    const foreign: ReadonlyArray<Effect.Effect<unknown, object>> = [
      theirs.integration.schedules.get(ref),
      theirs.integration.schedules.change({ ...ref, payload: { enabled: false } }),
      theirs.integration.schedules.remove(ref),
      theirs.integration.schedules.trigger({ ...ref, payload: null }),
      ours.integration.schedules.get({ params: { id: unknown } })
    ]
    const forbidden: ReadonlyArray<Effect.Effect<unknown, object>> = [
      reader.schedules.create({ params, payload: nightly(ours) }),
      reader.schedules.change({ ...ref, payload: { enabled: false } }),
      reader.schedules.remove(ref),
      reader.schedules.trigger({ ...ref, payload: null })
    ]

    for (const call of foreign) assert.strictEqual((yield* refusalOf(call)).code, "not_found")
    for (const call of forbidden) assert.strictEqual((yield* refusalOf(call)).code, "forbidden")
    assert.strictEqual((yield* reader.schedules.get(ref)).id, scheduleId)
  })

  test("name the field of the execution that is refused", function* () {
    const tenant = yield* makeTenant()
    const send = yield* Host
    const said = Effect.fnUntraced(function* (body: object) {
      const answer = yield* send("/api/v1/integrations/schedules", {
        method: "POST",
        headers: { authorization: `Bearer ${tenant.key.key}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
      return `${answer.status} ${(yield* errorOf(answer)).message}`
    })
    const { execution, ...rest } = nightly(tenant)

    assert.match(yield* said(rest), /^422 .*execution/)
    assert.match(
      yield* said({ ...rest, execution: { ...execution, priority: 9_999 } }),
      /^422 .*execution\.priority/
    )
    assert.match(
      yield* said({ ...rest, execution: { ...execution, scheduled_at: "2031-01-01T00:00:00Z" } }),
      /^422 .*execution\.scheduled_at/
    )
    assert.match(yield* said({ ...rest, cron: "0 0 30 2 *", execution }), /^422 .*cron/)
    assert.match(yield* said({ ...rest, colour: "red", execution }), /^422 .*colour/)
  })

  test("are in the hands of members: of admins to change, of viewers to see, without the query of a URL", function* () {
    const tenant = yield* makeTenant()
    const { admin, key } = tenant
    const payload = { ...nightly(tenant), key_id: key.id }
    const { id: scheduleId } = yield* admin.schedules.create({ params: tenant.params, payload })
    const path = `/api/v1/admin/accounts/${tenant.account.id}/schedules/${scheduleId}`
    const viewer = yield* makeBrowser(tenant.account.id, { role: "viewer" })
    const member = yield* makeBrowser(tenant.account.id, { role: "admin" })

    const seen = yield* jsonOf(yield* viewer.send(path))
    const denied = yield* viewer.send(path, { method: "PATCH", body: JSON.stringify({ enabled: false }) })
    const changed = yield* member.send(path, {
      method: "PATCH",
      body: JSON.stringify({ enabled: false })
    })

    assert.include(JSON.stringify(seen), "https://hooks.example.com/a?masked")
    assert.deepStrictEqual([denied.status, changed.status], [403, 200])
  })
})
