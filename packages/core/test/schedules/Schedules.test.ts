import { assert, describe, it } from "@effect/vitest"
import { type ActorKind, CurrentActor } from "@runhook/core/audit/Actor"
import { ScheduleLimits } from "@runhook/core/Settings"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { AuditLog } from "@runhook/core/audit/AuditLog"
import { Executions } from "@runhook/core/executions/Executions"
import { Schedules } from "@runhook/core/schedules/Schedules"
import { second } from "@runhook/store-testing/Fixtures"
import { engine } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { executionsOf, makeTenant, newKey, newRequest } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { currentSchedule, makeSchedule, wantedSchedule } from "./Scheduled.ts"

const cron = { cron: "30 2 * * *", timeZone: "Europe/Berlin", everySeconds: null }

describe("Schedules.create", () => {
  test("refuses what is never due, or contradicts itself, and names the field", function* () {
    const tenant = yield* makeTenant()
    const schedules = yield* Schedules
    const said = (fields: Parameters<typeof wantedSchedule>[1], request = {}) =>
      Effect.map(
        Effect.flip(schedules.create(tenant.caller, wantedSchedule(tenant, fields, request))),
        ({ message }) => message
      )

    assert.match(yield* said({ everySeconds: null }), /^cron: is required with time_zone/)
    assert.match(yield* said({ ...cron, everySeconds: 60 }), /^every_seconds: cannot be asked for/)
    assert.match(yield* said({ ...cron, timeZone: null }), /^time_zone: is required with cron/)
    assert.match(yield* said({ timeZone: "UTC" }), /^time_zone: is for schedules with cron/)
    assert.match(yield* said({ ...cron, cron: "0 0 30 2 *" }), /^cron: names a day that no month has/)
    assert.match(yield* said({ ...cron, timeZone: "Mars" }), /^time_zone: must be a time zone/)
    assert.match(yield* said({ jitterSeconds: 60 }), /^jitter_seconds: must be less than every_seconds/)
    assert.match(yield* said({ startsAt: second(9), endsAt: second(9) }), /^ends_at: must be later/)
    assert.match(yield* said({ endsAt: second(0) }), /^ends_at: must be in the future/)
    assert.match(yield* said({}, { scheduledAt: second(9) }), /^execution\.scheduled_at: is a moment of one/)
    assert.match(yield* said({}, { expiresAt: second(9) }), /^execution\.expires_at: is a moment of one/)
    assert.match(
      yield* said({}, { params: { text: "x".repeat(70_000) } }),
      /^execution: must be at most 65536 bytes/
    )
    assert.match(yield* said({}, { callbackUrl: "ftp://example.com" }), /^execution\.callback_url: /)
    assert.match(yield* said({}, { taskId: undefined }), /^execution\.task_id: /)
  })

  it.effect("keeps within the limits of the service", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      yield* makeSchedule(tenant, { everySeconds: 120 })
      yield* makeSchedule(tenant, cron)

      const tooMany = yield* Effect.flip(makeSchedule(tenant, cron))
      const close = yield* Effect.flip(makeSchedule(tenant, { everySeconds: 119 }))
      const closer = yield* Effect.flip(makeSchedule(tenant, { ...cron, cron: "30,31 2 * * *" }))

      assert.strictEqual(tooMany.message, "This account has reached its limit of 2 schedules")
      assert.match(close.message, /^every_seconds: must leave at least 120 seconds/)
      assert.match(closer.message, /^cron: must leave at least 120 seconds/)
    }).pipe(
      Effect.provide(
        engine.pipe(
          Layer.provide(Layer.succeed(ScheduleLimits, { perAccount: 2, shortest: Duration.seconds(120) }))
        )
      )
    )
  )

  test("takes only what its key may create itself", function* () {
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const keys = yield* ApiKeys
    const schedules = yield* Schedules
    const refused = Effect.fnUntraced(function* (fields: Parameters<typeof newKey>[1]) {
      const { record } = yield* keys.create(newKey({ accountId }, fields))
      return (yield* Effect.flip(schedules.create(record, wantedSchedule(tenant))))._tag
    })

    assert.strictEqual(yield* refused({ allowedTaskIds: [] }), "ScopeViolation")
    assert.strictEqual(yield* refused({ allowedAgentIds: [] }), "ScopeViolation")
    assert.strictEqual(yield* refused({ capabilities: ["executions:read"] }), "MissingCapability")
  })
})

describe("Schedules.change", () => {
  test("gives the schedule to the key that takes it over, if that key may create it", function* () {
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const keys = yield* ApiKeys
    const schedules = yield* Schedules
    const schedule = yield* makeSchedule(tenant)
    const { record: other } = yield* keys.create(newKey({ accountId }))
    const { record: narrow } = yield* keys.create(newKey({ accountId }, { allowedTaskIds: [] }))

    const paused = yield* schedules.change(schedule, { isEnabled: false }, null)
    const refused = yield* Effect.flip(schedules.change(schedule, { isEnabled: true }, narrow))
    const taken = yield* schedules.change(schedule, { isEnabled: true }, other)

    assert.deepInclude(paused, { apiKeyId: tenant.caller.id, isEnabled: false, nextAt: null })
    assert.strictEqual(refused._tag, "ScopeViolation")
    assert.deepInclude(taken, { apiKeyId: other.id, isEnabled: true })
  })

  test("checks a new request and new times as a create does, and changes nothing otherwise", function* () {
    const tenant = yield* makeTenant()
    const schedules = yield* Schedules
    const schedule = yield* makeSchedule(tenant)
    const request = newRequest(tenant, { scheduledAt: second(9) })

    const errors = [
      yield* Effect.flip(schedules.change(schedule, { request }, null)),
      yield* Effect.flip(schedules.change(schedule, { ...cron, timeZone: "Mars" }, null)),
      yield* Effect.flip(schedules.change(schedule, { jitterSeconds: 60 }, null))
    ]

    assert.deepStrictEqual(
      errors.map(({ message }) => message.split(":")[0]),
      ["execution.scheduled_at", "time_zone", "jitter_seconds"]
    )
    assert.deepStrictEqual(yield* currentSchedule(schedule), schedule)
  })
})

describe("Schedules.trigger", () => {
  const requestId = "req_trigger"

  test("creates an execution at once, also during a pause, and leaves the due times", function* () {
    const tenant = yield* makeTenant()
    const schedules = yield* Schedules
    const schedule = yield* makeSchedule(tenant, { isEnabled: false })

    const execution = yield* schedules.trigger(schedule, { caller: tenant.caller, requestId })

    assert.deepInclude(execution, { scheduleId: schedule.id, requestId, apiKeyId: tenant.caller.id })
    assert.deepStrictEqual(
      (yield* executionsOf(tenant)).map(({ id }) => id),
      [execution.id]
    )
    assert.deepInclude(yield* currentSchedule(schedule), { isEnabled: false, nextAt: null, lastAt: null })
  })

  test("keeps to the overlap policy, the limits, and what the caller may create", function* () {
    const tenant = yield* makeTenant()
    const { accountId } = tenant.caller
    const [executions, schedules] = [yield* Executions, yield* Schedules]
    const keys = yield* ApiKeys
    const { record: narrow } = yield* keys.create(newKey({ accountId }, { allowedAgentIds: [] }))
    const { record: single } = yield* keys.create(newKey({ accountId }, { maxLive: 1 }))
    const skipping = yield* makeSchedule(tenant, { overlap: "skip" })
    const limited = yield* schedules.create(single, wantedSchedule(tenant))
    const byOperator = { caller: null, requestId }

    const first = yield* schedules.trigger(skipping, byOperator)
    const busy = yield* Effect.flip(schedules.trigger(skipping, byOperator))
    const outside = yield* Effect.flip(schedules.trigger(skipping, { caller: narrow, requestId }))
    yield* schedules.trigger(limited, byOperator)
    const over = yield* Effect.flip(schedules.trigger(limited, byOperator))
    yield* keys.revoke(single)
    const revoked = yield* Effect.flip(schedules.trigger(limited, byOperator))
    yield* executions.stop({ accountId, id: first.id, to: "aborted", reason: null })
    const again = yield* schedules.trigger(skipping, byOperator)

    assert.deepStrictEqual(
      [busy, outside, over, revoked].map(({ _tag }) => _tag),
      ["ScheduleBusy", "ScopeViolation", "ConcurrencyLimitReached", "KeyUnusable"]
    )
    assert.notStrictEqual(again.id, first.id)
  })

  test("is told to the audit log when people do it, and not when keys do", function* () {
    const tenant = yield* makeTenant()
    const [log, schedules] = [yield* AuditLog, yield* Schedules]
    const schedule = yield* makeSchedule(tenant)
    const by = (kind: ActorKind) => (call: ReturnType<typeof schedules.trigger>) =>
      Effect.provideService(call, CurrentActor, {
        kind,
        id: null,
        person: null,
        name: "Someone",
        fromAddress: null,
        requestId
      })
    const trigger = schedules.trigger(schedule, { caller: null, requestId })

    yield* by("key")(trigger)
    yield* by("operator")(trigger)

    const any = { actor: null, from: null, kind: null, subjectId: schedule.id, text: null, to: null }
    const { items } = yield* log.list(tenant.caller.accountId, any, { after: null, limit: 9 })
    assert.deepStrictEqual(
      items.map(({ action, actor }) => [action, actor.kind]),
      [
        ["schedule.triggered", "operator"],
        ["schedule.created", "service"]
      ]
    )
  })
})
