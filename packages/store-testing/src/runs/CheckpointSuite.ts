/** What every RunStore does with checkpoints. `FencingSuite` tries stale epochs. */
import { assert } from "@effect/vitest"
import type { Json } from "@runhook/core/shared/json/Json"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Run } from "@runhook/core/runs/Run"
import { presentMax } from "@runhook/core/runs/sessions/RunnerSession"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { idAt, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { SessionId } from "@runhook/core/shared/Ids"
import type { SuiteOptions } from "../Suite.ts"
import { suiteOf } from "../SuiteOf.ts"
import { claimUpTo, makeClaimedRun, makeStartedRun, startDeadline, writeTo } from "./RunFixtures.ts"

const keep = (run: Run, value: Json, at: number) =>
  RunStore.use((store) =>
    store.keepCheckpoint({ ...writeTo(run, second(at)), checkpoint: StoredJson.of(value) })
  )

const fail = (run: Run, at: number) =>
  RunStore.use((store) =>
    store.finish({
      ...writeTo(run, second(at)),
      outcome: { _tag: "Failed", message: "no paper", isRetryable: true },
      fingerprint: "one"
    })
  )

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("Checkpoints", { layer, name }, (it) => {
    it.test(
      "brings the latest checkpoint with the claim of the next attempt, again if it repeats",
      function* () {
        const store = yield* RunStore
        const { run, session } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 2 })
        const { id } = run.execution
        yield* keep(run, { page: 1, "b\u00e4r": ["1.50"] }, 3)
        const value = { page: 2, z: null, a: 1.5 }
        yield* keep(run, value, 4)
        yield* fail(run, 5)

        const claimId = yield* idAt(SessionId, second(70))
        const claiming = { session, claimId, limit: 1, startDeadline, at: second(70) }
        const first = yield* store.claim(claiming)
        const repeated = yield* store.claim(claiming)

        const brought = [first, repeated].map(({ claims }) =>
          claims.map(({ checkpoint, run: given }) => [given.execution.id, checkpoint?.text])
        )
        const expected = [[id, JSON.stringify(value)]]
        assert.deepStrictEqual(brought, [expected, expected])
      }
    )

    it.test("brings none with work that has none, of the same agent at the same time", function* () {
      const tenant = yield* makeTenant()
      const { run, session } = yield* makeStartedRun(tenant, { maxAttempts: 2 })
      yield* keep(run, "here", 3)
      yield* fail(run, 4)
      const fresh = yield* makeExecution(tenant)

      const { claims } = yield* claimUpTo(session, { limit: 10, at: second(70) })

      const brought = new Map(claims.map((each) => [each.run.execution.id, each.checkpoint]))
      assert.strictEqual(brought.get(run.execution.id)?.value, "here")
      assert.isNull(brought.get(fresh.id))
    })

    it.test("keeps what was kept before a start for whoever claims it next", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeClaimedRun(yield* makeTenant())
      yield* keep(run, 7, 2)
      yield* store.giveBack({ ...writeTo(run, second(3)), delay: Duration.zero })

      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(4) })

      assert.deepStrictEqual(
        claims.map(({ checkpoint }) => checkpoint?.value),
        [7]
      )
    })

    it.test("brings it with the work that an instance still holds when it comes back", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())
      yield* keep(run, [1, 2], 3)

      const { held } = yield* store.openSession({ session, presentMax })

      assert.deepStrictEqual(
        held.map(({ checkpoint }) => checkpoint?.value),
        [[1, 2]]
      )
    })

    it.test("finds no execution of another account, and changes nothing of it", function* () {
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const { accountId } = yield* makeTenant()
      const stored = storedRows(run.execution.accountId)
      const before = yield* stored

      const error = yield* Effect.flip(
        keep({ ...run, execution: { ...run.execution, accountId } }, "mine", 3)
      )

      assert.strictEqual(error._tag, "ExecutionNotFound")
      assert.deepStrictEqual(yield* stored, before)
    })

    it.test("changes no execution and adds nothing to its history", function* () {
      const store = yield* ExecutionStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const { accountId, id } = run.execution

      yield* keep(run, "here", 3)

      assert.deepStrictEqual(yield* store.get(accountId, id), run.execution)
    })
  })
