/**
 * How the jobs of every CancelStore begin and end. Jobs are advanced whosever they are, so no other suite may run in the
 * same database at the same time.
 */
import { assert } from "@effect/vitest"
import { JobId } from "@runhook/core/domain/Ids"
import { jobRemembered } from "@runhook/core/domain/Job"
import { CancelStore } from "@runhook/core/ports/CancelStore"
import { ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { entriesOf, jana } from "../audit/AuditFixtures.ts"
import { anApiKey } from "../catalog/CatalogFixtures.ts"
import {
  anExecution,
  aTenant,
  idAt,
  newExecution,
  plenty,
  second,
  type Stores,
  unlimited
} from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import {
  aCancelJob,
  advance,
  allowed,
  beginning,
  current,
  finish,
  newJob,
  queuedOnes,
  refOf,
  statusesOf
} from "./CancelFixtures.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("CancelStore ends", { layer, name }, (it) => {
    it.test("stops when it is cancelled, and what it has cancelled stays so", function* () {
      const store = yield* CancelStore
      const tenant = yield* aTenant()
      const all = yield* queuedOnes(tenant, 3)
      const job = yield* aCancelJob(tenant)
      yield* advance(2)

      const called = yield* store.cancel(refOf(job), second(102))
      const again = yield* store.cancel(refOf(job), second(103))

      assert.deepInclude(called, { status: "cancelled", cancelled: 2 })
      assert.deepStrictEqual([called.updatedAt, called.finishedAt], [second(102), second(102)])
      assert.deepStrictEqual(again, called)
      assert.isNull(yield* advance(2))
      assert.deepStrictEqual(yield* statusesOf(all), ["aborted", "aborted", "queued"])
      const next = yield* finish(yield* aCancelJob(tenant))
      assert.deepStrictEqual(yield* store.cancel(refOf(next), second(200)), next)
    })

    it.test("advances the job first that has waited longest", function* () {
      const [one, other] = [yield* aTenant(), yield* aTenant()]
      yield* queuedOnes(one, 3)
      yield* queuedOnes(other, 3)
      const [first, next] = [yield* aCancelJob(one), yield* aCancelJob(other)]

      const moved = yield* Effect.forEach([101, 102, 103, 104], (at) => advance(1, { at: second(at) }))

      assert.deepStrictEqual(
        moved.map((done) => done?.job.id),
        [first.id, next.id, first.id, next.id]
      )
      yield* finish(first)
    })

    it.test(
      "finds the job of an equal request under the same key of the same API key, for its time",
      function* () {
        const store = yield* CancelStore
        const tenant = yield* aTenant()
        const { apiKeyId } = tenant
        const mine = { apiKeyId, idempotencyKey: "night" }
        const job = yield* aCancelJob(tenant, { reference: "a" }, mine)
        const again = yield* newJob(tenant, { reference: "a" }, mine)
        const different = yield* newJob(tenant, { reference: "b" }, mine)
        const reasoned = yield* newJob(tenant, { reference: "a" }, { ...mine, reason: "Enough" })
        const foreign = yield* newJob(
          tenant,
          { reference: "b" },
          { ...mine, apiKeyId: (yield* anApiKey(tenant.accountId)).id }
        )

        const found = yield* store.create(again, allowed)
        const conflicts = yield* Effect.forEach([different, reasoned], (each) =>
          Effect.flip(store.create(each, allowed))
        )
        const others = yield* store.create(foreign, allowed)
        const operators = yield* newJob(tenant, { reference: "b" }, { ...mine, apiKeyId: null })
        const ofOperators = yield* store.create(operators, allowed)
        const againByOperators = yield* store.create(
          yield* newJob(tenant, { reference: "b" }, { ...mine, apiKeyId: null }),
          allowed
        )
        const later = yield* store.create(different, { ...allowed, keySince: beginning })

        assert.deepStrictEqual(found, { job, isDuplicate: true })
        assert.deepStrictEqual(
          conflicts.map(({ _tag }) => _tag),
          ["JobKeyConflict", "JobKeyConflict"]
        )
        assert.deepStrictEqual([others.isDuplicate, later.isDuplicate], [false, false])
        assert.deepStrictEqual([ofOperators.isDuplicate, againByOperators.job], [false, operators])
        yield* finish(job)
      }
    )

    it.test("lets so many jobs of an account be at work, however many begin at once", function* () {
      const store = yield* CancelStore
      const [tenant, neighbour] = [yield* aTenant(), yield* aTenant()]
      const wanted = yield* Effect.forEach(Array.from({ length: 24 }), () => newJob(tenant))

      const begun = yield* Effect.forEach(
        wanted,
        (job) => Effect.exit(store.create(job, { ...allowed, limit: 2 })),
        { concurrency: "unbounded" }
      )
      const refusal = yield* Effect.flip(store.create(yield* newJob(tenant), { ...allowed, limit: 2 }))
      const running = begun.flatMap((exit) => (exit._tag === "Success" ? [exit.value.job] : []))

      assert.lengthOf(running, 2)
      assert.deepInclude(refusal, { _tag: "JobLimitReached", limit: 2 })
      assert.sameMembers(
        refusal._tag === "JobLimitReached" ? [...refusal.running] : [],
        running.map(({ id }) => id)
      )
      yield* aCancelJob(neighbour)
      for (const job of running) yield* store.cancel(refOf(job), second(101))
      yield* finish(yield* aCancelJob(tenant))
    })

    it.test(
      "writes each cancel into the audit log in the name of who began it, if there is a name",
      function* () {
        const tenant = yield* aTenant()
        const mine = yield* anExecution(tenant)
        yield* finish(yield* aCancelJob(tenant, {}, { actor: jana, endsAs: "cancelled" }))
        yield* anExecution(tenant)
        yield* finish(yield* aCancelJob(tenant))

        const entries = yield* entriesOf(tenant.accountId)

        assert.deepStrictEqual(
          entries.map(({ action, actor, subject }) => [action, actor, subject.id]),
          [["execution.stopped", jana, mine.id]]
        )
        assert.deepStrictEqual(yield* statusesOf([mine]), ["cancelled"])
      }
    )

    it.test("answers for a job of another account or key as for one that does not exist", function* () {
      const store = yield* CancelStore
      const [tenant, stranger] = [yield* aTenant(), yield* aTenant()]
      const { accountId, apiKeyId } = tenant
      const job = yield* aCancelJob(tenant, {}, { apiKeyId })
      const refs = [
        { ...refOf(job), accountId: stranger.accountId },
        { ...refOf(job), apiKeyId: (yield* anApiKey(accountId)).id },
        { ...refOf(job), id: yield* idAt(JobId, second(0)) }
      ]

      const errors = yield* Effect.forEach(refs, (ref) =>
        Effect.all([Effect.flip(store.get(ref)), Effect.flip(store.cancel(ref, second(101)))])
      )

      for (const error of errors.flat()) assert.strictEqual(error._tag, "JobNotFound")
      assert.deepStrictEqual(yield* store.get({ ...refOf(job), apiKeyId }), job)
      yield* finish(job)
    })

    it.test("is forgotten 30 days after its end, and not while it runs", function* () {
      const sweeps = yield* SweepStore
      const ended = yield* finish(yield* aCancelJob(yield* aTenant()))
      const kept = yield* aCancelJob(yield* aTenant())
      const end = DateTime.addDuration(second(101), jobRemembered)
      yield* sweeps.prune({ at: DateTime.subtract(end, { milliseconds: 1 }), limit: plenty })
      const before = yield* current(ended)

      yield* sweeps.prune({ at: end, limit: plenty })

      assert.deepStrictEqual(before, ended)
      assert.strictEqual((yield* Effect.flip(current(ended)))._tag, "JobNotFound")
      assert.deepStrictEqual(yield* current(kept), kept)
      yield* finish(kept)
    })

    it.test("lets another create take the place of what was cancelled", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* aTenant()
      yield* queuedOnes(tenant, 3)
      const full = { ...unlimited, accountMaxLive: 3 }
      const refused = yield* Effect.exit(
        store.create({ ...full, execution: yield* newExecution(tenant, { createdAt: second(50) }) })
      )
      yield* finish(yield* aCancelJob(tenant))

      const made = yield* store.create({
        ...full,
        execution: yield* newExecution(tenant, { createdAt: second(110) })
      })

      assert.strictEqual(refused._tag, "Failure")
      assert.isTrue(made.change.changed)
    })
  })
