/** What a process remembers of runs, while others move them. */
import { assert, describe, it } from "@effect/vitest"
import { AccountId, newId } from "@runhook/core/shared/Ids"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { makeAccount } from "@runhook/store-testing/catalog/CatalogFixtures"
import { makeExecution, makeTenant, plenty, second } from "@runhook/store-testing/Fixtures"
import {
  claimUpTo,
  lease,
  makeClaimedRun,
  makeSession,
  makeStartedRun,
  newQuestion,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { brokenRules } from "../../Invariants.ts"
import { makeProcess } from "../../Process.ts"
import { layerMigrated } from "../../TestDatabase.ts"
import { done } from "./Done.ts"

describe("A run that a process remembers", () => {
  it.layer(layerMigrated)((it) => {
    it.effect("is not begun once another process has stopped it", () =>
      Effect.gen(function* () {
        const [here, there] = yield* Effect.all([makeProcess(), makeProcess()])
        const { run } = yield* here.does(Effect.flatMap(makeTenant(), makeClaimedRun))
        const { accountId, id } = run.execution
        const stop = ExecutionStore.use((executions) =>
          executions.stop({ accountId, id, to: "aborted", reason: null, at: second(2) })
        )
        yield* there.does(stop)

        const refused = yield* here.does(
          Effect.flip(RunStore.use((runs) => runs.start({ ...writeTo(run, second(3)), lease })))
        )

        assert.deepInclude(refused, { _tag: "LeaseLost", status: "aborted" })
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("refuses nothing that another process has made possible", () =>
      Effect.gen(function* () {
        const [here, there] = yield* Effect.all([makeProcess(), makeProcess()])
        const { run } = yield* here.does(Effect.flatMap(makeTenant(), makeClaimedRun))
        yield* there.does(RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease })))

        // For all that this process remembers, it has not begun.
        const { changed } = yield* here.does(
          RunStore.use((runs) => runs.finish({ ...writeTo(run, second(3)), ...done }))
        )

        assert.isTrue(changed)
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("keeps the lease that a heartbeat has extended at another process", () =>
      Effect.gen(function* () {
        const [here, there] = yield* Effect.all([makeProcess(), makeProcess()])
        const { run, session } = yield* here.does(Effect.flatMap(makeTenant(), makeStartedRun))
        const inFlight = [{ executionId: run.execution.id, epoch: run.execution.epoch }]
        yield* there.does(
          RunStore.use((runs) => runs.beat({ session, isDraining: false, inFlight, lease, at: second(30) }))
        )

        const asked = yield* here.does(
          Effect.gen(function* () {
            const runs = yield* RunStore
            yield* runs.ask({ ...writeTo(run, second(31)), input: yield* newQuestion(second(31)) })
            return yield* runs.get(run.execution)
          })
        )

        assert.deepStrictEqual(
          [asked.execution.status, asked.lease?.expiresAt],
          ["awaiting_input", second(90)]
        )
      })
    )

    it.effect("is not swept for the end of a lease that a heartbeat has just extended", () =>
      Effect.gen(function* () {
        const there = yield* makeProcess()
        const { run, session } = yield* there.does(Effect.flatMap(makeTenant(), makeStartedRun))
        const inFlight = [{ executionId: run.execution.id, epoch: run.execution.epoch }]
        const beat = there.does(
          RunStore.use((runs) => runs.beat({ session, isDraining: false, inFlight, lease, at: second(61) }))
        )
        const beats: Array<unknown> = []
        const here = yield* makeProcess({
          beforeStatement: (text) =>
            text.includes("store_moves(")
              ? Effect.map(Effect.orDie(beat), (heard) => void beats.push(heard))
              : Effect.void
        })

        const swept = yield* here.does(
          SweepStore.use((sweeps) => sweeps.expireLeases({ at: second(62), limit: plenty }))
        )

        const { lease: kept } = yield* there.does(RunStore.use((runs) => runs.get(run.execution)))
        assert.deepStrictEqual([beats.length, swept, kept?.expiresAt], [1, [], second(121)])
      })
    )

    it.effect("is read again when it was moved after it was read", () =>
      Effect.gen(function* () {
        const there = yield* makeProcess()
        const { run } = yield* there.does(Effect.flatMap(makeTenant(), makeStartedRun))
        const { accountId, id } = run.execution
        const stop = there.does(
          ExecutionStore.use((executions) =>
            executions.stop({ accountId, id, to: "cancelled", reason: "enough", at: second(3) })
          )
        )
        const here = yield* makeProcess({
          beforeStatement: (text) =>
            text.includes("store_moves(") ? Effect.orDie(Effect.asVoid(stop)) : Effect.void
        })

        const refused = yield* here.does(
          Effect.flip(RunStore.use((runs) => runs.finish({ ...writeTo(run, second(4)), ...done })))
        )

        assert.deepInclude(refused, { _tag: "LeaseLost", status: "cancelled" })
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("is not one of a claim that was rolled back", () =>
      Effect.gen(function* () {
        const [here, there] = yield* Effect.all([makeProcess(), makeProcess()])
        const tenant = yield* here.does(makeTenant())
        yield* here.does(makeExecution(tenant))
        const [undone, holder] = yield* here.does(Effect.all([makeSession(tenant), makeSession(tenant)]))
        const claiming = claimUpTo(undone, { limit: 1, at: second(1) })
        const rolledBack = SqlClient.use((sql) =>
          sql.withTransaction(Effect.flatMap(claiming, ({ claims }) => Effect.fail(claims.length)))
        )
        const tried = yield* here.does(Effect.flip(rolledBack))
        // Under the epoch and at the revision that were given out before.
        const { claims } = yield* there.does(claimUpTo(holder, { limit: 1, at: second(1) }))

        const started = yield* here.does(
          RunStore.use((runs) =>
            Effect.forEach(claims, ({ run }) => runs.start({ ...writeTo(run, second(2)), lease }))
          )
        )

        assert.deepStrictEqual([tried, started.map(({ run }) => run.lease?.sessionId)], [1, [holder.id]])
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("is another account's to nobody else", () =>
      Effect.gen(function* () {
        const here = yield* makeProcess()
        const { run } = yield* here.does(Effect.flatMap(makeTenant(), makeClaimedRun))

        const refused = yield* here.does(
          Effect.gen(function* () {
            const runs = yield* RunStore
            // Of the same bucket: it is not the place of the rows that keeps others out.
            const random = yield* newId(AccountId)
            const id = AccountId.make(`${random.slice(0, -2)}${run.execution.accountId.slice(-2)}`)
            const { id: accountId } = yield* makeAccount({ id })
            const foreign = { ...writeTo(run, second(2)), accountId }
            return yield* Effect.flip(runs.start({ ...foreign, lease }))
          })
        )

        assert.strictEqual(refused._tag, "ExecutionNotFound")
      })
    )
  })
})
