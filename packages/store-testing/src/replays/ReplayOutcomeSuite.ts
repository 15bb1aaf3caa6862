/**
 * How every store counts the outcomes of replayed deliveries. Jobs are moved on
 * whosever they are, so no other suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { type Delivery, deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import type { Verdict } from "@runhook/core/deliveries/steps/DeliveryMoves"
import type { ReplayJob } from "@runhook/core/replays/ReplayJob"
import { jobRemembered } from "@runhook/core/jobs/Job"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { attemptOf, claimAll, makeSender, type Sender } from "../deliveries/DeliveryFixtures.ts"
import { plenty, second, type Stores } from "../Fixtures.ts"
import { current, deadDeliveries, finish, makeJob } from "./ReplayFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const delivered: Verdict = { _tag: "Delivered" }
const dead: Verdict = { _tag: "Dead" }
const retry: Verdict = { _tag: "Retry", nextAttemptAt: second(200) }

/** A job that has replayed so many deliveries, which are claimed. */
const makeClaimedReplay = Effect.fnUntraced(function* (count: number) {
  const sender = yield* makeSender()
  yield* deadDeliveries(
    sender,
    Array.from({ length: count }, (_, index) => index)
  )
  const job = yield* finish(yield* makeJob(sender))
  return { sender, job, claimed: yield* claimAll(sender, { at: second(110) }) }
})

const settle = Effect.fnUntraced(function* (
  { accountId }: Sender,
  ends: ReadonlyArray<readonly [Delivery | undefined, Verdict]>
) {
  const settlements = ends.flatMap(([delivery, verdict]) =>
    delivery === undefined ? [] : [{ accountId, attempt: attemptOf(delivery), verdict }]
  )
  yield* DeliveryStore.use((store) => store.settle(settlements, second(111)))
})

const outcomesOf = (job: ReplayJob) =>
  Effect.map(current(job), Struct.pick(["replayed", "delivered", "failed"]))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Outcomes of replays", { layer, name }, (it) => {
    it.test("are counted when a replayed delivery arrives or is given up, and not before", function* () {
      const { claimed, job, sender } = yield* makeClaimedReplay(5)
      const before = yield* outcomesOf(job)

      yield* settle(sender, [
        [claimed[0], delivered],
        [claimed[1], dead],
        [claimed[2], delivered],
        [claimed[3], retry]
      ])

      assert.deepStrictEqual(before, { replayed: 5, delivered: 0, failed: 0 })
      assert.deepStrictEqual(yield* outcomesOf(job), { replayed: 5, delivered: 2, failed: 1 })
    })

    it.test("are counted once, however often an attempt is settled", function* () {
      const { claimed, job, sender } = yield* makeClaimedReplay(1)

      yield* settle(sender, [[claimed[0], dead]])
      yield* settle(sender, [[claimed[0], delivered]])

      assert.deepStrictEqual(yield* outcomesOf(job), { replayed: 1, delivered: 0, failed: 1 })
    })

    it.test("are all counted, though many dispatchers settle at once", function* () {
      const { claimed, job, sender } = yield* makeClaimedReplay(40)

      yield* Effect.forEach(claimed, (each) => settle(sender, [[each, delivered]]), {
        concurrency: "unbounded"
      })

      assert.deepStrictEqual(yield* outcomesOf(job), { replayed: 40, delivered: 40, failed: 0 })
    })

    it.test("count as failed what expires before anybody sends it", function* () {
      const sender = yield* makeSender()
      yield* deadDeliveries(sender, [1])
      const job = yield* finish(yield* makeJob(sender))

      yield* claimAll(sender, { at: DateTime.addDuration(second(120), deliveryLifetime) })

      assert.deepStrictEqual(yield* outcomesOf(job), { replayed: 1, delivered: 0, failed: 1 })
    })

    it.test("are those of the job that started the round, and of no other", function* () {
      const { claimed, job, sender } = yield* makeClaimedReplay(2)
      const [first, other] = claimed
      yield* settle(sender, [
        [first, dead],
        [other, dead]
      ])
      const replayed = { accountId: sender.accountId, at: second(112) }
      yield* DeliveryStore.use((store) =>
        Effect.forEach([first, other], (each) =>
          each ? store.replay({ ...replayed, id: each.id }) : Effect.void
        )
      )

      const again = yield* claimAll(sender, { at: second(113) })
      yield* settle(
        sender,
        again.map((each) => [each, delivered])
      )

      assert.lengthOf(again, 2)
      assert.deepStrictEqual(yield* outcomesOf(job), { replayed: 2, delivered: 0, failed: 2 })
    })

    it.test("are forgotten with their job", function* () {
      const sweeps = yield* SweepStore
      const { claimed, job, sender } = yield* makeClaimedReplay(1)
      yield* settle(sender, [[claimed[0], dead]])
      const at = DateTime.addDuration(second(200), jobRemembered)

      yield* sweeps.prune("expired", { at, limit: plenty })

      assert.strictEqual((yield* Effect.flip(current(job)))._tag, "ReplayNotFound")
    })
  })
