/**
 * What every SweepStore forgets. Sweeps see all accounts, so no other suite may
 * run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Run } from "@runhook/core/runs/Run"
import { silenceMax } from "@runhook/core/runs/sessions/RunnerSession"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeTenant, newExecution, plenty, second, type Stores, unlimited } from "../Fixtures.ts"
import { makeSession, makeStartedRun, writeTo } from "../runs/RunFixtures.ts"
import type { SuiteOptions } from "../Suite.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("SweepStore prune", { layer, name }, (it) => {
    it.test("forgets idempotency keys whose time is over", function* () {
      const sweeps = yield* SweepStore
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const idempotency = { key: "order-7", fingerprint: "of the body", expiresAt: second(100) }
      yield* executions.create({ ...unlimited, execution: yield* newExecution(tenant), idempotency })
      yield* sweeps.prune("expired", { at: second(99.999), limit: plenty })
      const use = { ...idempotency, ...tenant, at: second(50) }
      const kept = yield* executions.findDuplicate(use)

      const { pruned: count } = yield* sweeps.prune("expired", { at: second(100), limit: plenty })

      assert.isDefined(kept)
      assert.isAtLeast(count, 1)
      // Asked as if it still lived: it is gone.
      assert.isUndefined(yield* executions.findDuplicate(use))
    })

    it.test("prunes up to the limit in one round", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      yield* Effect.forEach([1, 2, 3], () => makeSession(tenant))
      const at = DateTime.addDuration(second(0), silenceMax)

      const { pruned: count } = yield* sweeps.prune("expired", { at, limit: 2 })

      assert.strictEqual(count, 2)
    })

    it.test("forgets the checkpoint of an execution that has ended, and no other", function* () {
      const sweeps = yield* SweepStore
      const runs = yield* RunStore
      const tenant = yield* makeTenant()
      const shown = Effect.map(storedRows(tenant.accountId), (rows) => JSON.stringify(rows))
      const makeCheckpoint = Effect.fnUntraced(function* (value: string) {
        const { run } = yield* makeStartedRun(tenant, { maxAttempts: 2 })
        const checkpoint = StoredJson.of(value)
        yield* runs.keepCheckpoint({ ...writeTo(run, second(3)), checkpoint })
        return run
      })
      const fail = (run: Run, isRetryable: boolean) => {
        const outcome = { _tag: "Failed", message: "no paper", isRetryable } as const
        return runs.finish({ ...writeTo(run, second(4)), outcome, fingerprint: "one" })
      }
      yield* fail(yield* makeCheckpoint("of the ended"), false)
      yield* fail(yield* makeCheckpoint("of the one to be tried again"), true)
      const before = yield* shown

      yield* sweeps.prune("remnants", { at: second(5), limit: plenty })

      const after = yield* shown
      const kept = [before, after].map((text) => [
        text.includes("of the ended"),
        text.includes("of the one to be tried again")
      ])
      assert.deepStrictEqual(kept, [
        [true, true],
        [false, true]
      ])
    })

    it.test("forgets sessions that were silent for a day", function* () {
      const sweeps = yield* SweepStore
      const runs = yield* RunStore
      const session = yield* makeSession(yield* makeTenant())
      const end = DateTime.addDuration(session.lastSeenAt, silenceMax)
      yield* sweeps.prune("expired", { at: DateTime.subtract(end, { milliseconds: 1 }), limit: plenty })
      const kept = yield* runs.getSession(session)

      const { pruned: count } = yield* sweeps.prune("expired", { at: end, limit: plenty })

      assert.deepStrictEqual(kept, session)
      assert.isAtLeast(count, 1)
      const error = yield* Effect.flip(runs.getSession(session))
      assert.strictEqual(error._tag, "SessionNotFound")
    })
  })
