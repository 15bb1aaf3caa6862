/** What every ExecutionStore removes, and what it keeps. */
import { assert } from "@effect/vitest"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import { claimAll } from "../deliveries/DeliveryFixtures.ts"
import { deliveriesOf, makeExecution, makeTenant, plenty, second, type Stores } from "../Fixtures.ts"
import { makeStartedRun } from "../runs/RunFixtures.ts"
import type { SuiteOptions } from "../Suite.ts"
import { createAgain, makeEndedExecution, settleCallbacks } from "./EndedFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const atOnce = { concurrency: "unbounded" } as const

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("ExecutionStore remove", { layer, name }, (it) => {
    it.effect.each(["Delivered", "Dead"] as const)(
      "leaves nothing of a finished execution but the names of its files, until they are deleted: last callback %s",
      (last) =>
        Effect.gen(function* () {
          const executions = yield* ExecutionStore
          const sweeps = yield* SweepStore
          const tenant = yield* makeTenant()
          const execution = yield* makeEndedExecution(tenant)
          yield* settleCallbacks(tenant, last)
          const ids = [execution.id, ...(yield* deliveriesOf(execution)).map(({ id }) => id)]
          const told = Effect.map(storedRows(tenant.accountId), (rows) =>
            ids.map((id) => JSON.stringify(rows).includes(id))
          )
          const before = yield* told

          yield* executions.remove(execution)

          const files = (yield* sweeps.leftOvers(plenty)).filter(({ storageKey }) =>
            storageKey.includes(execution.id)
          )
          yield* sweeps.dropLeftOvers(files)
          assert.deepStrictEqual(before, [true, true, true, true])
          assert.strictEqual(files.length, 1)
          assert.deepStrictEqual(yield* told, [false, false, false, false])
          const error = yield* Effect.flip(executions.get(tenant.accountId, execution.id))
          assert.strictEqual(error._tag, "ExecutionNotFound")
        })
    )

    it.test("keeps all others", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const [execution, other] = [yield* makeEndedExecution(tenant), yield* makeEndedExecution(tenant)]
      yield* settleCallbacks(tenant, "Dead")
      const kept = Effect.all([executions.get(tenant.accountId, other.id), deliveriesOf(other)])
      const before = yield* kept

      yield* executions.remove(execution)

      assert.deepStrictEqual(yield* kept, before)
      assert.strictEqual((yield* createAgain(other, tenant)).isDuplicate, true)
    })

    it.test("lets its idempotency key make another", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const execution = yield* makeEndedExecution(tenant)
      yield* settleCallbacks(tenant, "Delivered")
      const before = yield* createAgain(execution, tenant)
      yield* executions.remove(execution)

      const after = yield* createAgain(execution, tenant)

      assert.deepStrictEqual([before.isDuplicate, after.isDuplicate], [true, false])
    })

    it.test("keeps what has not ended", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const { execution: running } = (yield* makeStartedRun(tenant)).run
      const waiting = [
        yield* makeExecution(tenant, { status: "pending" }),
        yield* makeExecution(tenant),
        running
      ]
      const before = yield* storedRows(tenant.accountId)

      const errors = yield* Effect.forEach(waiting, (each) => Effect.flip(executions.remove(each)))

      for (const error of errors) {
        assert.deepInclude(error, { _tag: "NotRemovable", reason: "unfinished" })
      }
      assert.deepStrictEqual(yield* storedRows(tenant.accountId), before)
    })

    it.test("keeps what has a callback to come", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const execution = yield* makeEndedExecution(tenant)
      const before = yield* storedRows(tenant.accountId)

      const error = yield* Effect.flip(executions.remove(execution))

      assert.deepInclude(error, { _tag: "NotRemovable", reason: "callbacks_pending" })
      assert.deepStrictEqual(yield* storedRows(tenant.accountId), before)
    })

    it.test("removes once, however many remove it at once", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const execution = yield* makeEndedExecution(tenant)
      yield* settleCallbacks(tenant, "Delivered")

      const exits = yield* Effect.replicateEffect(Effect.exit(executions.remove(execution)), 5, atOnce)

      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
    })

    it.test("removes a dead letter or lets it be replayed, and never half of each", function* () {
      const executions = yield* ExecutionStore
      const store = yield* DeliveryStore
      const tenant = yield* makeTenant()
      const { accountId } = tenant
      const ended = yield* Effect.replicateEffect(makeEndedExecution(tenant), 5)
      yield* settleCallbacks(tenant, "Dead")
      const callbacks = yield* Effect.forEach(ended, deliveriesOf)
      const dead = callbacks.flat().filter(({ state }) => state === "dead")

      const outcomes = yield* Effect.forEach(
        dead,
        ({ executionId, id }) =>
          Effect.all(
            [
              Effect.exit(store.replay({ accountId, id, at: second(10) })),
              Effect.exit(executions.remove({ accountId, id: executionId ?? ExecutionId.make(id) }))
            ],
            atOnce
          ),
        atOnce
      )

      const replayed = outcomes.filter(([replay]) => Exit.isSuccess(replay))
      const removed = outcomes.filter(([, removal]) => Exit.isSuccess(removal))
      const claimed = yield* claimAll(tenant, { at: second(11) })
      assert.strictEqual(dead.length, 5)
      assert.strictEqual(replayed.length + removed.length, 5)
      assert.strictEqual(claimed.length, replayed.length)
    })
  })
