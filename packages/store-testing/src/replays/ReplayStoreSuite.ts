/**
 * What every ReplayStore does. Jobs are moved on whosever they are, so no
 * other suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { allDead, type ReplayFilter } from "@runhook/core/replays/ReplayJob"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import {
  attemptOf,
  claimAll,
  makeDeadDelivery,
  makeDelivery,
  makeSender,
  stored
} from "../deliveries/DeliveryFixtures.ts"
import { makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import {
  advance,
  beginning,
  current,
  deadDeliveries,
  finish,
  makeDeliveredDelivery,
  makeJob,
  roundsOf
} from "./ReplayFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ReplayStore", { layer, name }, (it) => {
    it.test("keeps a job as it was created", function* () {
      const sender = yield* makeSender()
      const { executionId, ...filter } = {
        ...allDead,
        states: ["dead", "delivered"],
        type: "webhook.test",
        apiKeyId: sender.apiKeyId,
        text: "100% of /hook",
        from: second(1),
        to: second(2)
      } as const

      const job = yield* makeJob(sender, filter)

      assert.deepStrictEqual(job.filter, { ...filter, executionId })
      assert.deepInclude(job, { status: "running", replayed: 0, lastSeenId: null, finishedAt: null })
      assert.deepStrictEqual([job.createdAt, job.updatedAt], [beginning, beginning])
      assert.deepStrictEqual(yield* current(job), job)
      yield* finish(job)
    })

    it.test(
      "moves on by bites, from the oldest delivery to the newest, and says how far it came",
      function* () {
        const sender = yield* makeSender()
        const dead = yield* deadDeliveries(sender, [3, 1, 2])
        const job = yield* makeJob(sender)

        const first = yield* advance(2, second(101))
        const between = yield* roundsOf(sender, dead)
        const next = yield* advance(2, second(102))

        assert.deepStrictEqual(first, {
          ...job,
          replayed: 2,
          lastSeenId: dead[2]?.id ?? null,
          updatedAt: second(101)
        })
        assert.deepStrictEqual(between, [1, 2, 2])
        assert.deepStrictEqual(next, {
          ...job,
          status: "completed",
          replayed: 3,
          lastSeenId: dead[0]?.id ?? null,
          updatedAt: second(102),
          finishedAt: second(102)
        })
        assert.deepStrictEqual(yield* current(job), next)
        assert.isNull(yield* advance(2))
      }
    )

    it.test("starts new rounds that are due at once, with a new lifetime", function* () {
      const sender = yield* makeSender()
      const dead = yield* makeDeadDelivery(sender)
      const { id: replayId } = yield* makeJob(sender)
      const at = second(101)

      yield* advance(10, at)

      assert.deepStrictEqual((yield* stored(sender, dead.id)).delivery, {
        ...dead,
        state: "pending",
        round: 2,
        replayId,
        attempts: 0,
        nextAttemptAt: at,
        expiresAt: DateTime.addDuration(at, deliveryLifetime),
        settledAt: null
      })
      const claimed = yield* claimAll(sender, { at })
      assert.deepStrictEqual(
        claimed.map(({ id }) => id),
        [dead.id]
      )
    })

    it.effect(
      "replays what matches by type, key, execution, answer, cause, receiver, text and time alone",
      () =>
        Effect.gen(function* () {
          const tenant = yield* makeTenant()
          const { id: executionId } = yield* makeExecution(tenant)
          const { id: apiKeyId } = yield* makeApiKey(tenant.accountId)
          const dead = [
            yield* makeDeadDelivery(tenant, { type: "execution.queued", executionId, createdAt: second(1) }),
            yield* makeDeadDelivery({ ...tenant, apiKeyId }, { createdAt: second(2) }),
            yield* makeDeadDelivery(tenant, {
              url: "https://other.example/In",
              expiresAt: second(3),
              createdAt: second(3)
            })
          ]
          const replayedBy = Effect.fnUntraced(function* (filter: Partial<ReplayFilter>) {
            const before = yield* roundsOf(tenant, dead)
            const { replayed } = yield* finish(yield* makeJob(tenant, filter))
            const after = yield* roundsOf(tenant, dead)
            for (const delivery of yield* claimAll(tenant, { at: second(101) })) {
              const verdict = { _tag: "Dead" } as const
              const settlement = { accountId: tenant.accountId, attempt: attemptOf(delivery), verdict }
              // As if it had been so before the next job began.
              yield* DeliveryStore.use((store) => store.settle([settlement], second(50)))
            }
            assert.strictEqual(replayed, after.filter((round, index) => round !== before[index]).length)
            return after.map((round, index) => round !== before[index])
          })

          assert.deepStrictEqual(yield* replayedBy({ type: "execution.queued" }), [true, false, false])
          assert.deepStrictEqual(yield* replayedBy({ apiKeyId }), [false, true, false])
          assert.deepStrictEqual(yield* replayedBy({ executionId }), [true, false, false])
          assert.deepStrictEqual(yield* replayedBy({ answer: "none" }), [false, false, true])
          assert.deepStrictEqual(yield* replayedBy({ cause: "expired" }), [false, false, false])
          assert.deepStrictEqual(yield* replayedBy({ cause: "server_error" }), [true, true, true])
          const origin = "https://other.example"
          assert.deepStrictEqual(yield* replayedBy({ origin }), [false, false, true])
          assert.deepStrictEqual(yield* replayedBy({ text: "OTHER.example" }), [false, false, true])
          assert.deepStrictEqual(yield* replayedBy({ from: second(2) }), [false, true, true])
          assert.deepStrictEqual(yield* replayedBy({ to: second(2) }), [true, true, false])
          assert.deepStrictEqual(yield* replayedBy({ states: [] }), [false, false, false])
          assert.deepStrictEqual(yield* replayedBy({}), [true, true, true])
        })
    )

    it.test("replays what was delivered when asked to, and never what is pending", function* () {
      const sender = yield* makeSender()
      const delivered = yield* makeDeliveredDelivery(sender)
      const dead = yield* makeDeadDelivery(sender, { createdAt: second(2) })
      const pending = yield* makeDelivery(sender, { createdAt: second(3) })
      const all = [delivered, dead, pending]

      const one = yield* finish(yield* makeJob(sender, { states: ["delivered"] }))
      const between = yield* roundsOf(sender, all)
      const other = yield* finish(yield* makeJob(sender, { states: ["dead", "delivered", "cancelled"] }))

      assert.deepStrictEqual([one.replayed, other.replayed], [1, 1])
      assert.deepStrictEqual(between, [2, 1, 1])
      assert.deepStrictEqual(yield* roundsOf(sender, all), [2, 2, 1])
    })

    it.test(
      "leaves what came to be dead after the job began, also what it has replayed itself",
      function* () {
        const store = yield* DeliveryStore
        const sender = yield* makeSender()
        const { accountId } = sender
        const [first, later] = [
          yield* makeDeadDelivery(sender),
          yield* makeDelivery(sender, { createdAt: second(1) })
        ]
        yield* makeJob(sender)
        yield* advance(1)
        const claimed = yield* claimAll(sender, { at: second(110) })
        const verdict = { _tag: "Dead" } as const
        const settlements = claimed.map((each) => ({ accountId, attempt: attemptOf(each), verdict }))
        yield* store.settle(settlements, second(110))
        const newest = yield* makeDeadDelivery(sender, { createdAt: second(120) })

        yield* advance(100)
        const rest = yield* advance(100)

        assert.isNull(rest)
        assert.lengthOf(settlements, 2)
        const deliveries = [first, later, newest]
        assert.deepStrictEqual(yield* roundsOf(sender, deliveries), [2, 1, 1])
      }
    )

    it.test("touches nothing of another account", function* () {
      const [sender, stranger] = [yield* makeSender(), yield* makeSender()]
      const foreign = yield* makeDeadDelivery(stranger)

      const { replayed } = yield* finish(yield* makeJob(sender))

      assert.strictEqual(replayed, 0)
      assert.deepStrictEqual((yield* stored(stranger, foreign.id)).delivery, foreign)
    })
  })
