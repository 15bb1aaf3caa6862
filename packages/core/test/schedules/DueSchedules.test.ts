import { assert, describe, it } from "@effect/vitest"
import * as DueSchedules from "@runhook/core/schedules/DueSchedules"
import { ScheduleStore } from "@runhook/core/schedules/ScheduleStore"
import * as UsageCountingStores from "@runhook/core/usage/UsageCountingStores"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Schedules } from "@runhook/core/schedules/Schedules"
import { Usage } from "@runhook/core/usage/Usage"
import { second } from "@runhook/store-testing/Fixtures"
import { engineOver, stores } from "@runhook/test-support/engine/Engine"
import { test } from "@runhook/test-support/engine/Test"
import { executionsOf, makeTenant, makeVersion, type Tenant } from "@runhook/test-support/engine/Tenant"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { currentSchedule, makeSchedule } from "./Scheduled.ts"

const started = Effect.flatMap(Layer.build(Layer.fresh(DueSchedules.layerLoop)), () => Effect.void)

const broke = "A row that the store cannot write"

/** A store that fails on firings of that name, and on all that come with them. */
const failing = Layer.effect(
  ScheduleStore,
  Effect.map(ScheduleStore, (store) =>
    ScheduleStore.of({
      ...store,
      fire: (firings) =>
        firings.some(({ schedule }) => schedule.name === broke) ? Effect.die(broke) : store.fire(firings)
    })
  )
).pipe(Layer.provideMerge(stores))

/** The seconds at which executions of the tenant were created, earliest first. */
const createdAt = (tenant: Tenant) =>
  Effect.map(executionsOf(tenant), (executions) =>
    executions
      .map(({ createdAt: at }) => Math.floor((at.epochMilliseconds - second(0).epochMilliseconds) / 1_000))
      .toReversed()
  )

describe("the loop of schedules", () => {
  test("creates an execution at each due time, in however many processes it runs", function* () {
    const tenant = yield* makeTenant()
    const schedule = yield* makeSchedule(tenant)
    yield* started
    yield* started
    yield* started

    yield* TestClock.adjust("5 minutes")

    assert.deepStrictEqual(yield* createdAt(tenant), [60, 120, 180, 240, 300])
    const [latest] = yield* executionsOf(tenant)
    assert(latest !== undefined)
    assert.strictEqual(latest.scheduleId, schedule.id)
    assert.deepInclude(yield* currentSchedule(schedule), {
      lastAt: second(300),
      lastOutcome: "created",
      lastExecutionId: latest.id,
      nextAt: second(360)
    })
  })

  test("is woken by a schedule that is due before it would look again", function* () {
    const tenant = yield* makeTenant()
    yield* started
    yield* TestClock.adjust("1 second")

    yield* makeSchedule(tenant, { everySeconds: 1 })
    yield* TestClock.adjust("1 second")

    assert.lengthOf(yield* executionsOf(tenant), 1)
  })

  test.each([
    ["skip", []],
    ["last", [3_500]],
    ["all", [3_500, 3_500, 3_500, 3_500, 3_500]]
  ] as const)("makes up by %s for what was due while no process was there", function* ([missed, expected]) {
    const tenant = yield* makeTenant()
    const schedule = yield* makeSchedule(tenant, { everySeconds: 600, missed })
    yield* TestClock.setTime(second(3_500).epochMilliseconds)

    yield* started
    yield* TestClock.adjust("2 seconds")

    assert.deepStrictEqual(yield* createdAt(tenant), [...expected])
    assert.deepInclude(yield* currentSchedule(schedule), {
      lastAt: second(3_000),
      lastOutcome: missed === "skip" ? "missed" : "created",
      nextAt: second(3_600)
    })
  })

  test("keeps each refusal as what came of it, and goes on with all others", function* () {
    const tenant = yield* makeTenant({ key: { maxLive: 1 } })
    const agents = yield* Agents
    const off = yield* makeTenant()
    const narrow = yield* makeTenant()
    const strict = yield* makeTenant()
    const schedules = [
      yield* makeSchedule(tenant),
      yield* makeSchedule(tenant),
      yield* makeSchedule(off),
      yield* makeSchedule(narrow),
      yield* makeSchedule(strict)
    ]
    yield* agents.update(off.agent, { state: "disabled" })
    yield* (yield* ApiKeys).update(narrow.caller, { allowedTaskIds: [] })
    yield* makeVersion(strict.task, { paramsSchema: { type: "object", required: ["invoice"] } })
    yield* started

    yield* TestClock.adjust("61 seconds")

    const now = yield* Effect.forEach(schedules, currentSchedule)
    const outcomes = now.map(({ lastError, lastOutcome }) => [lastOutcome, lastError?.["_tag"]])
    assert.sameDeepMembers(outcomes.slice(0, 2), [
      ["created", undefined],
      ["refused", "ConcurrencyLimitReached"]
    ])
    assert.deepStrictEqual(outcomes.slice(2), [
      ["refused", "AgentDisabled"],
      ["refused", "ScopeViolation"],
      ["refused", "InvalidParams"]
    ])
    for (const { isEnabled, nextAt } of now) {
      assert.isTrue(isEnabled)
      assert.deepStrictEqual(nextAt, second(120))
    }
    assert.lengthOf(yield* executionsOf(tenant), 1)
  })

  test("stops the schedules of a key that is revoked or has expired, and says why", function* () {
    const [tenant, expiring] = [yield* makeTenant(), yield* makeTenant({ key: { expiresAt: second(50) } })]
    const schedules = [yield* makeSchedule(tenant), yield* makeSchedule(expiring)]
    yield* (yield* ApiKeys).revoke(tenant.caller)
    yield* started

    yield* TestClock.adjust("10 minutes")

    const now = yield* Effect.forEach(schedules, currentSchedule)
    assert.deepStrictEqual(
      now.map(({ isEnabled, lastAt, lastError, lastOutcome, nextAt }) => [
        isEnabled,
        lastAt,
        lastOutcome,
        lastError?.["reason"],
        nextAt
      ]),
      [
        [false, second(60), "refused", "revoked", null],
        [false, second(60), "refused", "expired", null]
      ]
    )
    assert.lengthOf([...(yield* executionsOf(tenant)), ...(yield* executionsOf(expiring))], 0)
  })

  test("creates nothing for a key that may not, says so, and goes on once it may", function* () {
    const tenant = yield* makeTenant()
    const schedule = yield* makeSchedule(tenant)
    const keys = yield* ApiKeys
    yield* keys.update(tenant.caller, { capabilities: ["executions:read"] })
    yield* started

    yield* TestClock.adjust("1 minute")
    const refused = yield* currentSchedule(schedule)
    yield* keys.update(tenant.caller, { capabilities: ["executions:write"] })
    yield* TestClock.adjust("1 minute")
    const created = yield* currentSchedule(schedule)

    assert.deepInclude(refused, { isEnabled: true, lastOutcome: "refused" })
    assert.deepInclude(refused.lastError, { capability: "executions:write" })
    assert.deepInclude(created, { isEnabled: true, lastOutcome: "created", lastError: null })
    assert.lengthOf(yield* executionsOf(tenant), 1)
  })

  it.effect("fires each by itself when the store fails on all together, so that one stops no other", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const [broken, other] = [yield* makeSchedule(tenant, { name: broke }), yield* makeSchedule(tenant)]
      yield* started

      yield* TestClock.adjust("1 minute")

      assert.deepInclude(yield* currentSchedule(broken), { lastOutcome: null })
      assert.deepInclude(yield* currentSchedule(other), { lastOutcome: "created" })
      assert.lengthOf(yield* executionsOf(tenant), 1)
    }).pipe(Effect.provide(engineOver(failing)))
  )

  test("counts what it creates, and what it cancels for that", function* () {
    const tenant = yield* makeTenant()
    yield* makeSchedule(tenant, { overlap: "cancel_running" })
    yield* Layer.build(Layer.fresh(DueSchedules.layerLoop.pipe(Layer.provide(UsageCountingStores.layer))))

    yield* TestClock.adjust("3 minutes")
    yield* TestClock.adjust("2 seconds")

    const question = {
      by: "hour",
      group: "none",
      apiKeyId: null,
      taskId: null,
      from: null,
      to: null
    } as const
    const { totals } = yield* (yield* Usage).counted({ ...question, accountId: tenant.caller.accountId })
    assert.deepInclude(totals[0]?.counts, { created: 3, cancelled: 2 })
  })

  test("follows a process that was killed with what it had claimed, and lets it do nothing more", function* () {
    const tenant = yield* makeTenant()
    const schedule = yield* makeSchedule(tenant)
    const store = yield* ScheduleStore
    yield* TestClock.setTime(second(60).epochMilliseconds)
    const at = yield* DateTime.now
    const [claimed] = yield* store.claimDue({ at, until: DateTime.add(at, { seconds: 15 }), limit: 9 })
    assert(claimed?.id === schedule.id)
    yield* started

    yield* TestClock.adjust("14 seconds")
    const during = yield* executionsOf(tenant)
    yield* TestClock.adjust("2 seconds")
    const late = yield* store.fire([
      { schedule: claimed, at, wanted: { outcome: "missed" }, becomes: () => claimed }
    ])

    assert.lengthOf(during, 0)
    assert.deepStrictEqual(yield* createdAt(tenant), [75])
    assert.deepInclude(yield* currentSchedule(schedule), { lastAt: second(60), nextAt: second(120) })
    assert.lengthOf(late, 0)
  })

  test("creates in bites what is due at once, and lets another account's go first in the next", function* () {
    const [busy, calm] = [yield* makeTenant(), yield* makeTenant()]
    yield* Effect.forEach(Array.from({ length: 60 }), () => makeSchedule(busy))
    yield* makeSchedule(calm, { startsAt: second(60) })
    const { bite } = yield* DueSchedules.makeDueSchedules
    yield* TestClock.setTime(second(60).epochMilliseconds)

    const first = yield* bite
    const theirs = yield* executionsOf(calm)
    const rest = [yield* bite, yield* bite, yield* bite]

    assert.deepStrictEqual([first, ...rest], [25, 25, 11, 0])
    assert.lengthOf(theirs, 1)
    const { items } = yield* (yield* Schedules).list(busy.caller.accountId, { after: null, limit: 200 })
    assert.isTrue(items.every(({ lastOutcome }) => lastOutcome === "created"))
  })
})
