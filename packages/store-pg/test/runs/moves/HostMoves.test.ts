/** Moves in a transaction of the host, by our driver and by another one. */
import { assert, describe, it } from "@effect/vitest"
import type { Run } from "@runhook/core/runs/Run"
import { RunStore } from "@runhook/core/runs/RunStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import { callbackUrl, eventsOf, makeTenant, second } from "@runhook/store-testing/Fixtures"
import { lease, makeClaimedRun, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { hosts, stores } from "../../Hosts.ts"
import { brokenRules } from "../../Invariants.ts"
import { done } from "./Done.ts"

const makeRun = () => Effect.flatMap(makeTenant(), (tenant) => makeClaimedRun(tenant, { callbackUrl }))

const startOf = (run: Run) => RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease }))
const finishOf = (run: Run) => RunStore.use((runs) => runs.finish({ ...writeTo(run, second(3)), ...done }))
const statusOf = (run: Run) =>
  Effect.map(
    RunStore.use((runs) => runs.get(run.execution)),
    ({ execution }) => execution.status
  )

describe.each(hosts)("A transaction of the host that moves executions, $by", ({ inTransaction, place }) => {
  it.layer(Layer.provide(stores(place), Layer.succeed(StoreClock, "caller")))((it) => {
    it.effect("leaves them as they were when it is rolled back, also to the moves that come next", () =>
      Effect.gen(function* () {
        const { run } = yield* makeRun()

        const exit = yield* Effect.exit(
          inTransaction(startOf(run).pipe(Effect.andThen(finishOf(run)), Effect.andThen(Effect.fail("No"))))
        )

        assert.deepStrictEqual([exit, yield* statusOf(run)], [Exit.fail("No"), "queued"])
        assert.deepStrictEqual(yield* eventsOf(run.execution), ["execution.queued"])
        yield* startOf(run)
        assert.isTrue((yield* finishOf(run)).changed)
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("moves them when it commits, and shows nothing before", () =>
      Effect.gen(function* () {
        const { run } = yield* makeRun()
        const committed = yield* Effect.context<RunStore>()

        const before = yield* inTransaction(
          startOf(run).pipe(
            Effect.andThen(finishOf(run)),
            Effect.andThen(
              Effect.updateContext(statusOf(run), (_inside: Context.Context<never>) => committed)
            )
          )
        )

        assert.deepStrictEqual([before, yield* statusOf(run)], ["queued", "completed"])
        assert.deepStrictEqual(yield* eventsOf(run.execution), [
          "execution.queued",
          "execution.started",
          "execution.completed"
        ])
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("may go on after a move that is refused or that the database cannot store", () =>
      Effect.gen(function* () {
        const { run } = yield* makeRun()
        const failsWith = (message: string) =>
          RunStore.use((runs) =>
            runs.finish({
              ...writeTo(run, second(3)),
              outcome: { _tag: "Failed", message, isRetryable: false },
              fingerprint: "failed"
            })
          )

        const exits = yield* inTransaction(
          Effect.forEach(
            [failsWith("too early"), startOf(run), failsWith("not \u0000 storable"), finishOf(run)],
            Effect.exit
          )
        )

        assert.deepStrictEqual(exits.map(Exit.isSuccess), [false, true, false, true])
        assert.strictEqual(yield* statusOf(run), "completed")
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )
  })
})
