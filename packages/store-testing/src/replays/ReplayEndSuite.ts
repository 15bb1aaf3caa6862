/**
 * How the jobs of every ReplayStore end. Jobs are moved on whosever they are, so no
 * other suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { jobRemembered } from "@runhook/core/domain/Job"
import { ReplayId } from "@runhook/core/domain/Ids"
import { ReplayStore } from "@runhook/core/ports/ReplayStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { anApiKey } from "../catalog/CatalogFixtures.ts"
import { aSender } from "../deliveries/DeliveryFixtures.ts"
import { idAt, plenty, second, type Stores } from "../Fixtures.ts"
import { aJob, refOf, current, advance, finish, deadDeliveries, roundsOf } from "./ReplayFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ReplayStore ends", { layer, name }, (it) => {
    it.test("stops when it is cancelled, and what was replayed stays so", function* () {
      const store = yield* ReplayStore
      const sender = yield* aSender
      const dead = yield* deadDeliveries(sender, [1, 2, 3])
      const job = yield* aJob(sender)
      yield* advance(2)

      const cancelled = yield* store.cancel(refOf(job), second(102))
      const again = yield* store.cancel(refOf(job), second(103))

      assert.deepInclude(cancelled, { status: "cancelled", replayed: 2 })
      assert.deepStrictEqual([cancelled.updatedAt, cancelled.finishedAt], [second(102), second(102)])
      assert.deepStrictEqual(again, cancelled)
      assert.isNull(yield* advance(2))
      assert.deepStrictEqual(yield* roundsOf(sender, dead), [2, 2, 1])
    })

    it.test("leaves a completed job unchanged when it is cancelled", function* () {
      const store = yield* ReplayStore
      const job = yield* finish(yield* aJob(yield* aSender))

      const cancelled = yield* store.cancel(refOf(job), second(200))

      assert.strictEqual(job.status, "completed")
      assert.deepStrictEqual(cancelled, job)
    })

    it.test("moves on the job first that has waited longest", function* () {
      const [one, other] = [yield* aSender, yield* aSender]
      yield* deadDeliveries(one, [1, 2, 3])
      yield* deadDeliveries(other, [1, 2, 3])
      const [first, next] = [yield* aJob(one), yield* aJob(other)]

      const moved = yield* Effect.forEach([101, 102, 103, 104], (at) => advance(1, second(at)))

      assert.deepStrictEqual(
        moved.map((job) => job?.id),
        [first.id, next.id, first.id, next.id]
      )
      yield* finish(first)
    })

    it.test(
      "replays each delivery once, and counts it once, however many move the job on at once",
      function* () {
        const sender = yield* aSender
        const dead = yield* deadDeliveries(
          sender,
          Array.from({ length: 24 }, (_, index) => index)
        )
        const job = yield* aJob(sender)

        yield* Effect.all(
          Array.from({ length: 16 }, () => advance(2)),
          { concurrency: "unbounded" }
        )
        const { replayed, status } = yield* finish(job)

        assert.deepStrictEqual([status, replayed], ["completed", dead.length])
        assert.deepStrictEqual(new Set(yield* roundsOf(sender, dead)), new Set([2]))
      }
    )

    it.test("ends for good when it is cancelled while others move it on", function* () {
      const store = yield* ReplayStore
      const sender = yield* aSender
      const dead = yield* deadDeliveries(
        sender,
        Array.from({ length: 12 }, (_, index) => index)
      )
      const job = yield* aJob(sender)

      const [{ replayed }] = yield* Effect.all(
        [
          store.cancel(refOf(job), second(102)),
          ...Array.from({ length: 8 }, () => Effect.asVoid(advance(1)))
        ],
        { concurrency: "unbounded" }
      )

      const rounds = yield* roundsOf(sender, dead)
      assert.deepInclude(yield* current(job), { status: "cancelled", replayed })
      assert.lengthOf(
        rounds.filter((round) => round === 2),
        replayed
      )
    })

    it.test("answers for a job of another account or key as for one that does not exist", function* () {
      const store = yield* ReplayStore
      const [sender, stranger] = [yield* aSender, yield* aSender]
      const { id: otherKeyId } = yield* anApiKey(sender.accountId)
      const job = yield* aJob(sender, { apiKeyId: sender.apiKeyId })
      const whole = yield* aJob(sender)
      const refs = [
        { ...refOf(job), accountId: stranger.accountId },
        { ...refOf(job), apiKeyId: otherKeyId },
        { ...refOf(whole), apiKeyId: sender.apiKeyId },
        { ...refOf(job), id: yield* idAt(ReplayId, second(0)) }
      ]

      const errors = yield* Effect.forEach(refs, (ref) =>
        Effect.all([Effect.flip(store.get(ref)), Effect.flip(store.cancel(ref, second(101)))])
      )

      for (const [index, both] of errors.entries()) {
        for (const error of both)
          assert.deepStrictEqual([error._tag, error.id], ["ReplayNotFound", refs[index]?.id])
      }
      assert.deepStrictEqual(yield* store.get({ ...refOf(job), apiKeyId: sender.apiKeyId }), job)
      yield* finish(job)
    })

    it.test("is forgotten 30 days after its end, and not while it runs", function* () {
      const sweeps = yield* SweepStore
      const running = yield* aJob(yield* aSender)
      const ended = yield* ReplayStore.use((store) => store.cancel(refOf(running), second(101)))
      const kept = yield* aJob(yield* aSender)
      const end = DateTime.addDuration(second(101), jobRemembered)
      yield* sweeps.prune({ at: DateTime.subtract(end, { milliseconds: 1 }), limit: plenty })
      const before = yield* current(ended)

      const count = yield* sweeps.prune({ at: end, limit: plenty })

      assert.deepStrictEqual(before, ended)
      assert.isAtLeast(count, 1)
      assert.strictEqual((yield* Effect.flip(current(ended)))._tag, "ReplayNotFound")
      assert.deepStrictEqual(yield* current(kept), kept)
      yield* finish(kept)
    })
  })
