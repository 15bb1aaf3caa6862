/**
 * What every ReplayStore does. Jobs are moved on whosever they are, so no
 * other suite may run in the same database at the same time.
 */
import { assert, describe, it } from "@effect/vitest"
import { deliveryLifetime, type Delivery } from "@runhook/core/domain/Delivery"
import { ReplayId } from "@runhook/core/domain/Ids"
import {
  jobRemembered,
  newReplayJob,
  type ReplayFilter,
  type ReplayJob
} from "@runhook/core/domain/ReplayJob"
import { DeliveryStore } from "@runhook/core/ports/DeliveryStore"
import { ReplayStore } from "@runhook/core/ports/ReplayStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { anApiKey } from "./CatalogFixtures.ts"
import {
  aDeadDelivery,
  aDelivery,
  anyDelivery,
  aSender,
  attemptOf,
  claimAll,
  type Sender,
  stored
} from "./DeliveryFixtures.ts"
import { anExecution, aTenant, idAt, plenty, second, type Stores } from "./Fixtures.ts"

/** When the jobs of the tests begin. */
const beginning = second(100)

const anyDead: ReplayFilter = { ...anyDelivery, states: ["dead"] }

/** A job that began when everything of the test was settled. */
const aJob = Effect.fnUntraced(function* ({ accountId }: Sender, filter: Partial<ReplayFilter> = {}) {
  const id = yield* idAt(ReplayId, beginning)
  const subject = { id, accountId, filter: { ...anyDead, ...filter } }
  return yield* (yield* ReplayStore).create(newReplayJob(subject, beginning))
})

const refOf = ({ accountId, id }: ReplayJob) => ({ accountId, apiKeyId: null, id })

const current = (job: ReplayJob) => ReplayStore.use((store) => store.get(refOf(job)))

/** One more bite of a job, while no other is running. */
const advance = (limit: number, at: DateTime.Utc = second(101)) =>
  ReplayStore.use((store) => store.advance({ limit, at }))

/** More bites than any test needs. */
const bitesMax = 1_000

/** The job when it is finished. */
const finish = Effect.fnUntraced(function* (job: ReplayJob) {
  for (let bite = 0; bite < bitesMax; bite++) {
    if ((yield* advance(100)) === null) return yield* current(job)
  }
  return yield* Effect.die(new Error(`The job goes on after ${bitesMax} bites`))
})

const deadDeliveries = (sender: Sender, seconds: ReadonlyArray<number>) =>
  Effect.forEach(seconds, (each) => aDeadDelivery(sender, { createdAt: second(each) }))

/** The rounds that deliveries are in: 2 for those that were replayed once. */
const roundsOf = (sender: Sender, deliveries: ReadonlyArray<Delivery>) =>
  Effect.forEach(deliveries, ({ id }) => Effect.map(stored(sender, id), ({ delivery }) => delivery.round))

/** A delivery that was made at the first attempt. */
const aDeliveredOne = Effect.fnUntraced(function* (sender: Sender) {
  const store = yield* DeliveryStore
  const { id } = yield* aDelivery(sender)
  const claimed = (yield* claimAll(sender, { at: second(1) })).filter((each) => each.id === id)
  yield* store.settle(
    claimed.map((each) => ({
      accountId: sender.accountId,
      attempt: attemptOf(each, { status: 200, error: null }),
      verdict: { _tag: "Delivered" }
    })),
    second(1)
  )
  return (yield* stored(sender, id)).delivery
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  describe(`ReplayStore: ${name}`, () => {
    it.layer(layer)((it) => {
      it.effect("keeps a job as it was created", () =>
        Effect.gen(function* () {
          const sender = yield* aSender
          const { executionId, ...filter } = {
            ...anyDead,
            states: ["dead", "delivered"],
            type: "webhook.test",
            apiKeyId: sender.apiKeyId,
            text: "100% of /hook",
            from: second(1),
            to: second(2)
          } as const

          const job = yield* aJob(sender, filter)

          assert.deepStrictEqual(job.filter, { ...filter, executionId })
          assert.deepInclude(job, { status: "running", replayed: 0, lastSeenId: null, finishedAt: null })
          assert.deepStrictEqual([job.createdAt, job.updatedAt], [beginning, beginning])
          assert.deepStrictEqual(yield* current(job), job)
          yield* finish(job)
        })
      )

      it.effect("moves on by bites, from the oldest delivery to the newest, and says how far it came", () =>
        Effect.gen(function* () {
          const sender = yield* aSender
          const dead = yield* deadDeliveries(sender, [3, 1, 2])
          const job = yield* aJob(sender)

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
        })
      )

      it.effect("starts new rounds that are due at once, with a new lifetime", () =>
        Effect.gen(function* () {
          const sender = yield* aSender
          const dead = yield* aDeadDelivery(sender)
          yield* aJob(sender)
          const at = second(101)

          yield* advance(10, at)

          assert.deepStrictEqual((yield* stored(sender, dead.id)).delivery, {
            ...dead,
            state: "pending",
            round: 2,
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
      )

      it.effect("replays what matches by type, key, execution, text and time alone", () =>
        Effect.gen(function* () {
          const tenant = yield* aTenant()
          const { id: executionId } = yield* anExecution(tenant)
          const { id: apiKeyId } = yield* anApiKey(tenant.accountId)
          const dead = [
            yield* aDeadDelivery(tenant, { type: "execution.queued", executionId, createdAt: second(1) }),
            yield* aDeadDelivery({ ...tenant, apiKeyId }, { createdAt: second(2) }),
            yield* aDeadDelivery(tenant, { url: "https://other.example/In", createdAt: second(3) })
          ]
          const replayedBy = Effect.fnUntraced(function* (filter: Partial<ReplayFilter>) {
            const before = yield* roundsOf(tenant, dead)
            const { replayed } = yield* finish(yield* aJob(tenant, filter))
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
          assert.deepStrictEqual(yield* replayedBy({ text: "OTHER.example" }), [false, false, true])
          assert.deepStrictEqual(yield* replayedBy({ from: second(2) }), [false, true, true])
          assert.deepStrictEqual(yield* replayedBy({ to: second(2) }), [true, true, false])
          assert.deepStrictEqual(yield* replayedBy({ states: [] }), [false, false, false])
          assert.deepStrictEqual(yield* replayedBy({}), [true, true, true])
        })
      )

      it.effect("replays what was delivered when asked to, and never what is pending", () =>
        Effect.gen(function* () {
          const sender = yield* aSender
          const delivered = yield* aDeliveredOne(sender)
          const dead = yield* aDeadDelivery(sender, { createdAt: second(2) })
          const pending = yield* aDelivery(sender, { createdAt: second(3) })
          const all = [delivered, dead, pending]

          const one = yield* finish(yield* aJob(sender, { states: ["delivered"] }))
          const between = yield* roundsOf(sender, all)
          const other = yield* finish(yield* aJob(sender, { states: ["dead", "delivered", "cancelled"] }))

          assert.deepStrictEqual([one.replayed, other.replayed], [1, 1])
          assert.deepStrictEqual(between, [2, 1, 1])
          assert.deepStrictEqual(yield* roundsOf(sender, all), [2, 2, 1])
        })
      )

      it.effect("leaves what came to be dead after the job began, also what it has replayed itself", () =>
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const sender = yield* aSender
          const { accountId } = sender
          const [first, later] = [
            yield* aDeadDelivery(sender),
            yield* aDelivery(sender, { createdAt: second(1) })
          ]
          yield* aJob(sender)
          yield* advance(1)
          const claimed = yield* claimAll(sender, { at: second(110) })
          const verdict = { _tag: "Dead" } as const
          const settlements = claimed.map((each) => ({ accountId, attempt: attemptOf(each), verdict }))
          yield* store.settle(settlements, second(110))
          const newest = yield* aDeadDelivery(sender, { createdAt: second(120) })

          yield* advance(100)
          const rest = yield* advance(100)

          assert.isNull(rest)
          assert.lengthOf(settlements, 2)
          const deliveries = [first, later, newest]
          assert.deepStrictEqual(yield* roundsOf(sender, deliveries), [2, 1, 1])
        })
      )

      it.effect("touches nothing of another account", () =>
        Effect.gen(function* () {
          const [sender, stranger] = [yield* aSender, yield* aSender]
          const foreign = yield* aDeadDelivery(stranger)

          const { replayed } = yield* finish(yield* aJob(sender))

          assert.strictEqual(replayed, 0)
          assert.deepStrictEqual((yield* stored(stranger, foreign.id)).delivery, foreign)
        })
      )

      it.effect("stops when it is cancelled, and what was replayed stays so", () =>
        Effect.gen(function* () {
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
      )

      it.effect("leaves a job that is completed as it is when somebody cancels it", () =>
        Effect.gen(function* () {
          const store = yield* ReplayStore
          const job = yield* finish(yield* aJob(yield* aSender))

          const cancelled = yield* store.cancel(refOf(job), second(200))

          assert.strictEqual(job.status, "completed")
          assert.deepStrictEqual(cancelled, job)
        })
      )

      it.effect("moves on the job first that has waited longest", () =>
        Effect.gen(function* () {
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
      )

      it.effect("replays each delivery once, and counts it once, however many move the job on at once", () =>
        Effect.gen(function* () {
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
        })
      )

      it.effect("ends for good when it is cancelled while others move it on", () =>
        Effect.gen(function* () {
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
      )

      it.effect("answers for a job of another account or key as for one that does not exist", () =>
        Effect.gen(function* () {
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
      )

      it.effect("is forgotten 30 days after its end, and not while it runs", () =>
        Effect.gen(function* () {
          const sweeps = yield* SweepStore
          const running = yield* aJob(yield* aSender)
          const ended = yield* ReplayStore.use((store) => store.cancel(refOf(running), second(101)))
          const kept = yield* aJob(yield* aSender)
          const end = DateTime.addDuration(second(101), jobRemembered)
          yield* sweeps.forget({ at: DateTime.subtract(end, { milliseconds: 1 }), limit: plenty })
          const before = yield* current(ended)

          const count = yield* sweeps.forget({ at: end, limit: plenty })

          assert.deepStrictEqual(before, ended)
          assert.isAtLeast(count, 1)
          assert.strictEqual((yield* Effect.flip(current(ended)))._tag, "ReplayNotFound")
          assert.deepStrictEqual(yield* current(kept), kept)
          yield* finish(kept)
        })
      )
    })
  })
