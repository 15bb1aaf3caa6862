/**
 * Which deliveries every SweepStore forgets. It sees all accounts, so no other
 * suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { type Delivery, deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { DeliveryStore, type Settlement } from "@runhook/core/deliveries/DeliveryStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import {
  anyDelivery,
  attemptOf,
  claimAll,
  claimOnce,
  lease,
  makeDeadDelivery,
  makeDelivery,
  makeSender,
  type Sender,
  stored
} from "../deliveries/DeliveryFixtures.ts"
import { plenty, second, type Stores } from "../Fixtures.ts"
import { finish, makeJob } from "../replays/ReplayFixtures.ts"
import type { SuiteOptions } from "../Suite.ts"
import { suiteOf } from "../SuiteOf.ts"

const day = (days: number) => DateTime.add(second(2), { days })

const justBefore = (instant: DateTime.Utc) => DateTime.subtract(instant, { milliseconds: 1 })

/** More walks than any test needs. */
const turnsMax = 1_000

/** Walks over all deliveries, and prunes receivers; answers how many deliveries were pruned. */
const walk = Effect.fnUntraced(function* (at: DateTime.Utc, limit = 1_000) {
  const sweeps = yield* SweepStore
  let count = 0
  for (let turn = 0; turn < turnsMax; turn++) {
    const { pruned, hasMore } = yield* sweeps.prune("deliveries", { at, limit })
    assert.isAtMost(pruned, limit)
    count += pruned
    if (!hasMore) {
      yield* sweeps.prune("receivers", { at, limit })
      return count
    }
  }
  return yield* Effect.die(new Error(`The walk was not over after ${turnsMax} turns`))
})

/** Deliveries that arrived at second 2. */
const severalDelivered = Effect.fnUntraced(function* (
  sender: Sender,
  count: number,
  fields: Partial<Delivery> = {}
) {
  const store = yield* DeliveryStore
  yield* Effect.replicateEffect(makeDelivery(sender, fields), count)
  const claimed = yield* claimAll(sender, { at: second(1) })
  yield* store.settle(
    claimed.map((each) => ({
      accountId: sender.accountId,
      attempt: attemptOf(each),
      verdict: { _tag: "Delivered" }
    })),
    second(2)
  )
  return claimed
})

const idsOf = ({ accountId }: Sender) =>
  DeliveryStore.use((store) => store.list(accountId, anyDelivery, { limit: 100, after: null })).pipe(
    Effect.map(({ items }) => items.map(({ id }) => id))
  )

/** A delivery that arrived at its second attempt: the first has no row of its own. */
const makeLateDelivery = Effect.fnUntraced(function* (sender: Sender) {
  const store = yield* DeliveryStore
  const { accountId } = sender
  const { id } = yield* makeDelivery(sender)
  for (const [at, verdict] of [
    [second(0), { _tag: "Retry", nextAttemptAt: second(1) }],
    [second(1), { _tag: "Delivered" }]
  ] as const) {
    const claimed = yield* claimAll(sender, { at })
    yield* store.settle(
      claimed.map((each) => ({ accountId, attempt: attemptOf(each), verdict })),
      at
    )
  }
  return id
})

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("SweepStore forgets deliveries", { layer, name }, (it) => {
    it.effect(
      "keeps nothing of what it forgets: no attempt, no place among the dead, no outcome of a replay",
      () =>
        Effect.gen(function* () {
          const sweeps = yield* SweepStore
          const sender = yield* makeSender()
          const late = yield* makeLateDelivery(sender)
          const { id: dead } = yield* makeDeadDelivery(sender)
          const { id: replayed } = yield* makeDeadDelivery(sender)
          const job = yield* makeJob(sender, { ids: [replayed] })
          yield* finish(job)
          const again = yield* claimAll(sender, { at: second(110) })
          yield* (yield* DeliveryStore).settle(
            again.map((each) => ({
              accountId: sender.accountId,
              attempt: attemptOf(each),
              verdict: { _tag: "Delivered" }
            })),
            second(111)
          )
          const ids = [late, dead, replayed, job.id]
          const remembered = Effect.map(storedRows(sender.accountId), (rows) =>
            ids.map((id) => JSON.stringify(rows).includes(id))
          )
          const before = yield* remembered

          yield* walk(day(1_000))
          yield* sweeps.prune("expired", { at: day(1_000), limit: plenty })
          // The audit log tells of the replay.
          const pruneAudit = sweeps.prune("audit", { at: day(1_000), limit: plenty })
          yield* Effect.repeat(pruneAudit, { while: ({ hasMore }) => hasMore, times: turnsMax })

          assert.deepStrictEqual(before, [true, true, true, true])
          assert.deepStrictEqual(yield* remembered, [false, false, false, false])
        })
    )

    it.test("forgets what arrived when its time is over, with its attempts", function* () {
      const sender = yield* makeSender()
      const [delivery] = yield* severalDelivered(sender, 1)
      yield* walk(justBefore(day(30)))
      const kept = yield* Effect.forEach(delivery === undefined ? [] : [delivery], ({ id }) =>
        stored(sender, id)
      )

      yield* walk(day(30))

      assert.deepStrictEqual(
        kept.map(({ attempts }) => attempts.length),
        [1]
      )
      assert.deepStrictEqual(yield* idsOf(sender), [])
    })

    it.test("keeps what was given up for longer", function* () {
      const sender = yield* makeSender()
      const { id } = yield* makeDeadDelivery(sender, { createdAt: second(2) })
      yield* walk(justBefore(day(90)))
      const kept = yield* idsOf(sender)

      yield* walk(day(90))

      assert.deepStrictEqual(kept, [id])
      assert.deepStrictEqual(yield* idsOf(sender), [])
    })

    it.test("keeps what is pending, however old it is", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const { accountId } = sender
      const { id } = yield* makeDeadDelivery(sender)
      yield* store.replay({ accountId, id, at: day(89) })

      yield* walk(day(1_000))

      assert.deepStrictEqual(yield* idsOf(sender), [id])
    })

    it.test("forgets by the time at which something was settled, not made", function* () {
      const sender = yield* makeSender()
      const [late] = yield* severalDelivered(sender, 1, {
        createdAt: DateTime.subtract(second(0), { days: 3 })
      })

      yield* walk(justBefore(day(30)))

      assert.deepStrictEqual(yield* idsOf(sender), [late?.id])
    })

    it.test(
      "forgets a receiver in trouble that nobody has probed for as long as anything waits",
      function* () {
        const sender = yield* makeSender()
        const { accountId } = sender
        yield* makeDelivery(sender)
        const failed = yield* claimAll(sender, { at: second(1) })
        const until = second(10)
        const move = { _tag: "Open", openings: 1, until } as const
        const settlements = failed.map((each): Settlement => {
          return { accountId, attempt: attemptOf(each), verdict: { _tag: "Dead" }, move }
        })
        yield* DeliveryStore.use((store) => store.settle(settlements, second(2)))
        const probeAt = Effect.fnUntraced(function* (at: DateTime.Utc) {
          yield* walk(at)
          yield* makeDelivery(sender, { createdAt: at })
          const { probeOf } = yield* claimOnce(sender, { at })
          return probeOf
        })
        const forgotten = DateTime.addDuration(until, deliveryLifetime)

        const kept = yield* probeAt(justBefore(forgotten))

        // The probe is under way for a lease from then on.
        const again = DateTime.addDuration(justBefore(forgotten), Duration.sum(lease, deliveryLifetime))
        assert.deepStrictEqual([kept, yield* probeAt(again)], [[1], [null]])
      }
    )

    it.test("forgets all of all accounts, in bites", function* () {
      yield* walk(day(10_000))
      const senders = yield* Effect.replicateEffect(makeSender(), 3)
      for (const sender of senders) yield* severalDelivered(sender, 7)
      const dead = yield* Effect.forEach(senders, (sender) => makeDeadDelivery(sender))

      const count = yield* walk(day(31), 3)

      assert.strictEqual(count, 21)
      assert.deepStrictEqual(
        (yield* Effect.forEach(senders, idsOf)).flat(),
        dead.map(({ id }) => id)
      )
    })

    it.test("prunes each once, even if others prune at the same time", function* () {
      yield* walk(day(10_000))
      const sender = yield* makeSender()
      yield* severalDelivered(sender, 30)

      const counts = yield* Effect.replicateEffect(walk(day(31), 4), 4, { concurrency: "unbounded" })
      yield* walk(day(31))

      assert.isAtMost(
        counts.reduce((sum, count) => sum + count, 0),
        30
      )
      assert.deepStrictEqual(yield* idsOf(sender), [])
    })
  })
