/**
 * How the jobs of every CancelStore begin, and what follows from what they do. Jobs are advanced whosever they are, so no other suite may run in the
 * same database at the same time.
 */
import { assert } from "@effect/vitest"
import { JobId } from "@runhook/core/shared/Ids"
import { CancelStore } from "@runhook/core/cancels/CancelStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import type * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { entriesOf, jana } from "../audit/AuditFixtures.ts"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import {
  callbackUrl,
  eventsOf,
  idAt,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  unlimited
} from "../Fixtures.ts"
import { suiteOfJobs } from "../jobs/SuiteOfJobs.ts"
import { suiteOf } from "../SuiteOf.ts"
import {
  advance,
  allowed,
  beginning,
  current,
  finish,
  makeCancelJob,
  newJob,
  queuedOnes,
  refOf,
  statusesOf
} from "./CancelFixtures.ts"

const begun = Effect.fnUntraced(function* (things: number) {
  const tenant = yield* makeTenant()
  const all = yield* queuedOnes(tenant, things, { callbackUrl })
  const job = yield* makeCancelJob(tenant)
  const store = yield* CancelStore
  return {
    id: job.id,
    current: current(job),
    cancel: (at: DateTime.Utc) => store.cancel(refOf(job), at),
    putOff: (by: Duration.Duration, at: DateTime.Utc) => store.putOff(job, { at, by }),
    // Told of once, too.
    done: Effect.forEach(all, (each) =>
      Effect.map(eventsOf(each), (events) => events.join() === "execution.queued,execution.aborted")
    ),
    counted: Effect.map(current(job), ({ cancelled }) => cancelled)
  }
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) => {
  suiteOfJobs(name, layer, {
    port: "CancelStore",
    begun,
    advance: (limit, at) => Effect.map(advance(limit, { at }), (done) => done && done.job)
  })

  suiteOf("CancelStore begins", { layer, name }, (it) => {
    it.test(
      "finds the job of an equal request under the same key of the same API key, for its time",
      function* () {
        const store = yield* CancelStore
        const tenant = yield* makeTenant()
        const { apiKeyId } = tenant
        const mine = { apiKeyId, idempotencyKey: "night" }
        const job = yield* makeCancelJob(tenant, { reference: "a" }, mine)
        const again = yield* newJob(tenant, { reference: "a" }, mine)
        const different = yield* newJob(tenant, { reference: "b" }, mine)
        const reasoned = yield* newJob(tenant, { reference: "a" }, { ...mine, reason: "Enough" })
        const foreign = yield* newJob(
          tenant,
          { reference: "b" },
          { ...mine, apiKeyId: (yield* makeApiKey(tenant.accountId)).id }
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
      const [tenant, neighbour] = [yield* makeTenant(), yield* makeTenant()]
      const wanted = yield* Effect.forEach(Array.from({ length: 24 }), () => newJob(tenant))

      const made = yield* Effect.forEach(
        wanted,
        (job) => Effect.exit(store.create(job, { ...allowed, limit: 2 })),
        { concurrency: "unbounded" }
      )
      const refusal = yield* Effect.flip(store.create(yield* newJob(tenant), { ...allowed, limit: 2 }))
      const running = made.flatMap((exit) => (exit._tag === "Success" ? [exit.value.job] : []))

      assert.lengthOf(running, 2)
      assert.deepInclude(refusal, { _tag: "JobLimitReached", limit: 2 })
      assert.sameMembers(
        refusal._tag === "JobLimitReached" ? [...refusal.running] : [],
        running.map(({ id }) => id)
      )
      yield* makeCancelJob(neighbour)
      for (const job of running) yield* store.cancel(refOf(job), second(101))
      yield* finish(yield* makeCancelJob(tenant))
    })

    it.test(
      "writes each cancel into the audit log in the name of who began it, if there is a name",
      function* () {
        const tenant = yield* makeTenant()
        const mine = yield* makeExecution(tenant)
        yield* finish(yield* makeCancelJob(tenant, {}, { actor: jana, endsAs: "cancelled" }))
        yield* makeExecution(tenant)
        yield* finish(yield* makeCancelJob(tenant))

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
      const [tenant, stranger] = [yield* makeTenant(), yield* makeTenant()]
      const { accountId, apiKeyId } = tenant
      const job = yield* makeCancelJob(tenant, {}, { apiKeyId })
      const refs = [
        { ...refOf(job), accountId: stranger.accountId },
        { ...refOf(job), apiKeyId: (yield* makeApiKey(accountId)).id },
        { ...refOf(job), id: yield* idAt(JobId, second(0)) }
      ]

      const errors = yield* Effect.forEach(refs, (ref) =>
        Effect.all([Effect.flip(store.get(ref)), Effect.flip(store.cancel(ref, second(101)))])
      )

      for (const error of errors.flat()) assert.strictEqual(error._tag, "JobNotFound")
      assert.deepStrictEqual(yield* store.get({ ...refOf(job), apiKeyId }), job)
      yield* finish(job)
    })

    it.test("lets another create take the place of what was cancelled", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      yield* queuedOnes(tenant, 3)
      const full = { ...unlimited, accountMaxLive: 3 }
      const refused = yield* Effect.exit(
        store.create({ ...full, execution: yield* newExecution(tenant, { createdAt: second(50) }) })
      )
      yield* finish(yield* makeCancelJob(tenant))

      const made = yield* store.create({
        ...full,
        execution: yield* newExecution(tenant, { createdAt: second(110) })
      })

      assert.strictEqual(refused._tag, "Failure")
      assert.isTrue(made.change.changed)
    })
  })
}
