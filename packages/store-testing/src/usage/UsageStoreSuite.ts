/** What every UsageStore does with what was counted. It forgets for all accounts, so no other suite may do so meanwhile. */
import { assert } from "@effect/vitest"
import { TaskId } from "@runhook/core/shared/Ids"
import { retentionDefault } from "@runhook/core/sweeps/Retention"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { UsageStore } from "@runhook/core/usage/UsageStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import { makeSender } from "../deliveries/DeliveryFixtures.ts"
import { idAt, second, type Stores } from "../Fixtures.ts"
import { addAll, day, hour, makeSum, makeUse, requestsOf, sumsOf, tookMillis } from "./UsageFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("UsageStore", { layer, name }, (it) => {
    it.test("adds up what several processes have counted", function* () {
      const { accountId } = yield* makeSender()
      const one = makeSum(accountId, { created: 2, started: 1, toStart: tookMillis(3) })
      const other = makeSum(accountId, {
        created: 1,
        started: 2,
        dead: 4,
        neverStarted: 6,
        toStart: tookMillis(3, 900)
      })
      const nothingTimed = makeSum(accountId, { requests: 5 })

      yield* addAll({ sums: [one] })
      yield* addAll({ sums: [other] })
      yield* addAll({ sums: [nothingTimed] })

      const [sum, ...others] = yield* sumsOf(accountId)
      const expected = {
        created: 3,
        started: 3,
        dead: 4,
        neverStarted: 6,
        requests: 5,
        toStart: tookMillis(3, 3, 900)
      }
      assert.deepStrictEqual(sum, makeSum(accountId, expected))
      assert.lengthOf(others, 0)
    })

    it.test("loses nothing of what is added at once", function* () {
      const [one, other] = [yield* makeSender(), yield* makeSender()]
      const sums = [one, other].map(({ accountId }) =>
        makeSum(accountId, { completed: 1, toFinish: tookMillis(10) })
      )

      yield* Effect.all(
        Array.from({ length: 20 }, (_, index) => addAll({ sums: index % 2 ? sums : sums.toReversed() })),
        { concurrency: "unbounded" }
      )

      const found = yield* Effect.forEach([one, other], ({ accountId }) => sumsOf(accountId))
      assert.deepStrictEqual(
        found.flat().map(({ counts }) => [counts.completed, counts.toFinish]),
        [
          [20, tookMillis(...Array.from({ length: 20 }, () => 10))],
          [20, tookMillis(...Array.from({ length: 20 }, () => 10))]
        ]
      )
    })

    it.test("finds the newest hours of a range first, up to the limit", function* () {
      const { accountId } = yield* makeSender()
      const at = (hours: number) => makeSum(accountId, { created: hours + 1 }, { at: second(hours * hour) })
      yield* addAll({ sums: [at(0), at(1), at(2), at(3)] })

      const newest = yield* sumsOf(accountId, { from: second(hour), to: second(3 * hour), limit: 5 })
      const one = yield* sumsOf(accountId, { limit: 1 })

      assert.deepStrictEqual(newest, [at(2), at(1)])
      assert.deepStrictEqual(one, [at(3)])
    })

    it.test("keeps apart hours and days, accounts, keys and tasks", function* () {
      const [sender, stranger] = [yield* makeSender(), yield* makeSender()]
      const { accountId, apiKeyId } = sender
      const taskId = yield* idAt(TaskId, second(0))
      const ofAccount = makeSum(accountId, { created: 1 })
      const ofDay = makeSum(accountId, { created: 2 }, { span: "day" })
      const ofKey = makeSum(accountId, { created: 3 }, { subject: { kind: "key", id: apiKeyId } })
      const ofTask = makeSum(accountId, { created: 4 }, { subject: { kind: "task", id: taskId } })
      yield* addAll({ sums: [ofAccount, ofDay, ofKey, ofTask, makeSum(stranger.accountId, { created: 9 })] })

      const found = yield* Effect.all([
        sumsOf(accountId),
        sumsOf(accountId, { span: "day" }),
        sumsOf(accountId, { of: { kind: "key", id: apiKeyId } }),
        sumsOf(accountId, { of: { kind: "key", id: stranger.apiKeyId } }),
        sumsOf(accountId, { of: { kind: "task", id: null } }),
        sumsOf(stranger.accountId, { of: { kind: "key", id: apiKeyId } })
      ])

      assert.deepStrictEqual(found, [[ofAccount], [ofDay], [ofKey], [], [ofTask], []])
    })

    it.test("finds all keys of an account hour by hour", function* () {
      const one = yield* makeSender()
      const other = { ...one, apiKeyId: (yield* makeApiKey(one.accountId)).id }
      const sums = [
        requestsOf(one, 1, second(hour)),
        requestsOf(one, 2, second(0)),
        requestsOf(other, 3, second(0))
      ]
      yield* addAll({ sums })

      const found = yield* sumsOf(one.accountId, { of: { kind: "key", id: null } })

      assert.deepStrictEqual(
        found.map(({ counts }) => counts.requests),
        [1, 2, 3]
      )
    })

    it.test("knows when a key was last used, in whichever order it learns that", function* () {
      const store = yield* UsageStore
      const [sender, unused, stranger] = [yield* makeSender(), yield* makeSender(), yield* makeSender()]
      const { accountId, apiKeyId } = sender
      yield* addAll({ keyUses: [makeUse(sender, second(9), "203.0.113.7")] })
      yield* addAll({
        keyUses: [makeUse(sender, second(5), "198.51.100.1"), makeUse(stranger, second(7), null)],
        sums: [requestsOf(sender, 4, second(hour)), requestsOf(sender, 8, second(0))]
      })

      const found = yield* store.keyUsage({
        accountId,
        ids: [apiKeyId, unused.apiKeyId, stranger.apiKeyId],
        since: second(hour)
      })

      const usage = { lastUsedAt: second(9), lastUsedFrom: "203.0.113.7", requests: 4 }
      assert.deepStrictEqual([...found], [[apiKeyId, usage]])
    })

    it.test("prunes old hours, days and receivers in bounded batches", function* () {
      const store = yield* UsageStore
      const { accountId } = yield* makeSender()
      const origin = "https://old.example"
      const hours = [0, 1, 2].map((each) => makeSum(accountId, { created: 1 }, { at: second(each * hour) }))
      const days = [0, 1].map((each) =>
        makeSum(accountId, { created: 1 }, { span: "day", at: second(each * day) })
      )
      yield* addAll({
        sums: [...hours, ...days],
        receivers: [{ accountId, origin, at: second(-hour), delivered: 1, failed: 0 }],
        lastAttempts: [{ accountId, origin, lastSuccessAt: second(30), lastFailure: null }]
      })
      const prune = (limit: number) =>
        SweepStore.use((sweeps) =>
          sweeps.prune("counts", {
            at: second(day + 1.5 * hour),
            limit,
            retention: { ...retentionDefault, counts: Duration.days(1) }
          })
        )

      const first = yield* prune(1)
      const then = yield* prune(100)
      const last = yield* prune(100)

      assert.deepStrictEqual(first, { pruned: 4, hasMore: true })
      assert.isAtLeast(then.pruned, 1)
      assert.deepStrictEqual(last, { pruned: 0, hasMore: false })
      assert.deepStrictEqual(yield* sumsOf(accountId), hours.slice(2))
      assert.deepStrictEqual(yield* sumsOf(accountId, { span: "day", to: second(9 * day) }), days.slice(1))
      assert.deepStrictEqual(yield* store.receivers({ accountId, since: second(0), limit: 9 }), [])
    })
  })
