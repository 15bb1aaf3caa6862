/** How every RunStore and SweepStore let work that failed wait before its next attempt. */
import { assert } from "@effect/vitest"
import { atOnce, retryAt, type RetryBackoff } from "@runhook/core/executions/RetryBackoff"
import type { Run } from "@runhook/core/runs/Run"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeTenant, plenty, second, type Stores } from "../Fixtures.ts"
import { claimUpTo, idsOf, lease, makeStartedRun, writeTo } from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const retryBackoff: RetryBackoff = { initialSeconds: 10, factor: 3, maxSeconds: 60, jitter: 0.5 }
const failed = { _tag: "Failed", message: "The printer is on fire", isRetryable: true } as const

/** A moment before, and the moment. */
const around = (moment: DateTime.Utc) => [DateTime.subtract(moment, { milliseconds: 1 }), moment] as const

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Retries", { layer, name }, (it) => {
    it.test("lets work that failed wait as its task says, longer after each attempt", function* () {
      const store = yield* RunStore
      const { run: first, session } = yield* makeStartedRun(yield* makeTenant(), {
        maxAttempts: 3,
        retryBackoff
      })
      let run: Run = first
      let at = second(5)
      const waits = []

      for (const attempt of [1, 2]) {
        const { run: waiting } = yield* store.finish({
          ...writeTo(run, at),
          outcome: failed,
          fingerprint: "one"
        })
        const due = retryAt({ ...first.execution, attempt }, { at, delay: null })
        assert.deepStrictEqual(waiting.dueAt, due)
        const [early, late] = around(due)
        assert.deepStrictEqual((yield* claimUpTo(session, { limit: 1, at: early })).claims, [])
        const { claims } = yield* claimUpTo(session, { limit: 1, at: late })
        assert.deepStrictEqual(idsOf(claims), [first.execution.id])
        waits.push(DateTime.distance(at, due))
        for (const claim of claims) {
          const started = yield* store.start({ ...writeTo(claim.run, late), lease })
          run = started.run
        }
        at = late
      }

      assert.strictEqual(run.execution.attempt, 3)
      assert.lengthOf(new Set(waits.map(String)), 2)
    })

    it.test("delays failed work as its runner asks, whatever its task says", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 2, retryBackoff })
      const outcome = { ...failed, retryDelayMillis: 90_000 }

      yield* store.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })

      const [early, late] = around(second(95))
      assert.deepStrictEqual((yield* claimUpTo(session, { limit: 1, at: early })).claims, [])
      const { claims } = yield* claimUpTo(session, { limit: 1, at: late })
      assert.deepStrictEqual(idsOf(claims), [run.execution.id])
    })

    it.test("takes the report of a failure again that was to wait, and changes nothing", function* () {
      const store = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 2, retryBackoff })
      const first = yield* store.finish({
        ...writeTo(run, second(5)),
        outcome: failed,
        fingerprint: "one"
      })

      const again = yield* store.finish({
        ...writeTo(run, second(7)),
        outcome: failed,
        fingerprint: "one"
      })

      assert.isFalse(again.changed)
      assert.deepStrictEqual(again.run.dueAt, first.run.dueAt)
    })

    it.effect.each([
      ["lets work wait whose runner was lost", retryBackoff],
      ["gives work at once whose runner was lost, when its task lets nothing wait", atOnce]
    ] as const)("%s", ([, policy]) =>
      Effect.gen(function* () {
        const sweeps = yield* SweepStore
        const { run, session } = yield* makeStartedRun(yield* makeTenant(), {
          maxAttempts: 2,
          retryBackoff: policy
        })
        const due = retryAt(run.execution, { at: second(62), delay: null })

        yield* sweeps.expireLeases({ at: second(62), limit: plenty })

        const [early, late] = around(due)
        assert.deepStrictEqual((yield* claimUpTo(session, { limit: 1, at: early })).claims, [])
        const { claims } = yield* claimUpTo(session, { limit: 1, at: late })
        assert.deepStrictEqual(idsOf(claims), [run.execution.id])
      })
    )
  })
