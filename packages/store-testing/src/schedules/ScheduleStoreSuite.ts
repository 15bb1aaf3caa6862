/** What every ScheduleStore does with schedules, apart from firing them. */
import { assert } from "@effect/vitest"
import { scheduleCreated, scheduleRemoved, scheduleUpdated } from "@runhook/core/audit/ScheduleEvents"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { changeSchedule } from "@runhook/core/schedules/Schedule"
import { ScheduleStore } from "@runhook/core/schedules/ScheduleStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { by, entriesOf, jana } from "../audit/AuditFixtures.ts"
import { makeTenant, plenty, second, type Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { makeNewSchedule, makeSchedule, minute } from "./ScheduleFixtures.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ScheduleStore", { layer, name }, (it) => {
    it.test("keeps the schedules of accounts apart, each as it was given", function* () {
      const store = yield* ScheduleStore
      const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
      const schedule = yield* makeSchedule(tenant, {
        cron: "30 2 * * *",
        timeZone: "Europe/Berlin",
        everySeconds: null,
        startsAt: second(5),
        endsAt: second(9_000_000),
        overlap: "skip",
        missed: "all",
        jitterSeconds: 7,
        lastAt: second(3),
        lastOutcome: "refused",
        lastError: { _tag: "AgentDisabled", id: "x" }
      })
      const theirs = yield* makeSchedule(other)
      const { accountId, id } = schedule

      const found = yield* store.get({ accountId, id })

      assert.deepStrictEqual(found, schedule)
      assert.deepStrictEqual((yield* store.list(accountId, { after: null, limit: 9 })).items, [schedule])
      const missing = [
        store.get({ accountId, id: theirs.id }),
        store.remove({ accountId, id: theirs.id }),
        store.change({ accountId, id: theirs.id }, { change: (before) => Result.succeed(before) })
      ]
      for (const call of missing) assert.strictEqual((yield* Effect.flip(call))._tag, "ScheduleNotFound")
      assert.deepStrictEqual(yield* store.get({ accountId: other.accountId, id: theirs.id }), theirs)
    })

    it.test("lists them newest first, in pages that are bounded in bytes", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const request = StoredJson.of({ text: "x".repeat(50_000) })
      const schedules = yield* Effect.forEach([1, 2, 3, 4, 5], (at) =>
        makeSchedule(tenant, { createdAt: second(at), request })
      )
      const newestFirst = schedules.toReversed().map(({ id }) => id)
      const page = { after: null, limit: 4, bytesMax: 110_000 }

      const first = yield* store.list(tenant.accountId, page)
      const second1 = yield* store.list(tenant.accountId, { ...page, after: newestFirst[1] ?? null })
      const counted = yield* store.list(tenant.accountId, { after: null, limit: 4 })

      assert.deepStrictEqual(
        [first, second1, counted].map(({ hasMore, items }) => [hasMore, items.map(({ id }) => id)]),
        [
          [true, newestFirst.slice(0, 2)],
          [true, newestFirst.slice(2, 4)],
          [true, newestFirst.slice(0, 4)]
        ]
      )
    })

    it.test("adds no more schedules than the limit, however many come at once", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const schedules = yield* Effect.forEach([1, 2, 3, 4, 5], () => makeNewSchedule(tenant))

      const results = yield* Effect.forEach(
        schedules,
        (schedule) => Effect.result(store.create(schedule, { limit: 3 })),
        { concurrency: "unbounded" }
      )

      assert.lengthOf(results.filter(Result.isSuccess), 3)
      assert.lengthOf((yield* store.list(tenant.accountId, { after: null, limit: 9 })).items, 3)
    })

    it.test("changes and removes a schedule, and tells the audit log", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const { accountId } = tenant
      const schedule = yield* makeNewSchedule(tenant)
      const ref = { accountId, id: schedule.id }
      yield* store.create(schedule, { limit: plenty, audit: by(jana, scheduleCreated) })

      const changed = yield* store.change(ref, {
        change: (before) => Result.succeed(changeSchedule(before, { isEnabled: false }, second(5))),
        audit: by(jana, scheduleUpdated)
      })
      const refused = yield* Effect.flip(store.change(ref, { change: () => Result.fail("no" as const) }))
      const barred = yield* Effect.flip(store.remove(ref, { check: () => Result.fail("never" as const) }))
      const kept = yield* store.get(ref)
      yield* store.remove(ref, { audit: by(jana, scheduleRemoved) })

      assert.deepStrictEqual(changed, changeSchedule(schedule, { isEnabled: false }, second(5)))
      assert.deepStrictEqual([refused, barred, kept], ["no", "never", changed])
      assert.strictEqual((yield* Effect.flip(store.get(ref)))._tag, "ScheduleNotFound")
      const entries = yield* entriesOf(accountId)
      assert.deepStrictEqual(
        entries.map(({ action, before }) => [action, before?.["enabled"]]),
        [
          ["schedule.removed", false],
          ["schedule.updated", true],
          ["schedule.created", undefined]
        ]
      )
    })

    it.test("gives each schedule that is due to one of many who claim, until the claim ends", function* () {
      const store = yield* ScheduleStore
      const tenant = yield* makeTenant()
      const schedules = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => makeSchedule(tenant))
      yield* makeSchedule(tenant, { isEnabled: false, nextAt: null, wakeAt: null })
      const ours = new Set(schedules.map(({ id }) => id))
      const claim = (at: number, limit = plenty) =>
        Effect.map(store.claimDue({ at: second(at), until: second(at + 15), limit }), (claimed) =>
          claimed.filter(({ accountId }) => accountId === tenant.accountId)
        )

      const early = yield* claim(59)
      const claims = yield* Effect.all([claim(60), claim(60), claim(60)], { concurrency: "unbounded" })
      const meanwhile = yield* claim(74)
      const again = yield* claim(75)

      assert.lengthOf(early, 0)
      const claimed = claims.flat()
      assert.sameMembers(
        claimed.map(({ id }) => id),
        [...ours]
      )
      for (const each of claimed)
        assert.deepInclude(each, { wakeAt: second(75), nextAt: minute(1), revision: 2 })
      assert.lengthOf(meanwhile, 0)
      assert.lengthOf(again, 6)
    })

    it.test("lets accounts take turns, so that many schedules of one do not hold up another's", function* () {
      const store = yield* ScheduleStore
      // In times that no other test has.
      const at = second(-900)
      const past = { createdAt: second(-1_000), nextAt: second(-950), wakeAt: second(-950) }
      const [busy, calm] = [yield* makeTenant(), yield* makeTenant()]
      yield* Effect.forEach(Array.from({ length: 20 }), () => makeSchedule(busy, past))
      const theirs = yield* makeSchedule(calm, { ...past, nextAt: second(-901), wakeAt: second(-901) })

      const due = yield* store.nextWakeAt(at)
      const claimed = yield* store.claimDue({ at, until: second(900_000), limit: 2 })

      assert.deepStrictEqual(due, second(-950))
      assert.lengthOf(claimed, 2)
      assert.include(
        claimed.map(({ id }) => id),
        theirs.id
      )
      // So that no other test finds them.
      yield* store.claimDue({ at, until: second(900_000), limit: 100 })
    })
  })
