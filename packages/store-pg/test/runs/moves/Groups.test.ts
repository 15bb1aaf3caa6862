/** Moves of several callers that travel together. */
import { assert, describe, it } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { bucketOfNew } from "@runhook/store-pg/accounts/Buckets"
import { callbackUrl, makeExecution, makeTenant, plenty, second } from "@runhook/store-testing/Fixtures"
import {
  claimUpTo,
  lease,
  makeSession,
  makeStartedRun,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { brokenRules } from "../../Invariants.ts"
import { makeProcess } from "../../Process.ts"
import { layerMigrated } from "../../TestDatabase.ts"
import { heldOpen, waitsForLock } from "./HeldOpen.ts"

const unbounded = { concurrency: "unbounded" } as const
const failing = (message: string) => ({ _tag: "Failed", message, isRetryable: false }) as const

/** That many runs of a tenant, which one session has claimed. */
const claimedRuns = Effect.fnUntraced(function* (count: number) {
  const tenant = yield* makeTenant({ capacity: count })
  yield* Effect.replicateEffect(makeExecution(tenant, { callbackUrl }), count, unbounded)
  const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: count, at: second(1) })
  return claims.map(({ run }) => run)
})

describe("Moves that travel together", () => {
  it.layer(layerMigrated)((it) => {
    it.effect("of one execution end it once, and tell the others that it has ended", () =>
      Effect.gen(function* () {
        const processes = yield* Effect.all([makeProcess(), makeProcess()])
        const { run } = yield* processes[0].does(
          Effect.flatMap(makeTenant(), (tenant) => makeStartedRun(tenant, { callbackUrl }))
        )
        const finish = (place: number) =>
          RunStore.use((runs) =>
            runs.finish({
              ...writeTo(run, second(3)),
              outcome: { _tag: "Completed", result: StoredJson.of({ place }) },
              fingerprint: `report ${place}`
            })
          )

        const exits = yield* Effect.forEach(
          Array.from({ length: 30 }, (_, place) => place),
          (place) => Effect.result(processes[place % 2 === 0 ? 0 : 1].does(finish(place))),
          unbounded
        )

        const made = exits.filter((exit) => exit._tag === "Success" && exit.success.changed)
        const told = exits.filter(
          (exit) => exit._tag === "Failure" && exit.failure._tag === "AlreadyFinished"
        )
        assert.deepStrictEqual([made.length, told.length], [1, 29])
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("wait for no row that somebody else has locked: its own caller does", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const process = yield* makeProcess()
        const claimed = yield* process.does(claimedRuns(30))
        const locked = claimed[7]?.execution
        assert.isDefined(locked)

        const starting = yield* heldOpen(
          sql`SELECT id FROM executions
            WHERE bucket = ${bucketOfNew(locked.accountId)}::smallint AND id = ${locked.id}::uuid
            FOR UPDATE`,
          Effect.gen(function* () {
            const starts = yield* Effect.forEach(claimed, (run) =>
              Effect.forkChild(
                process.does(RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease })))
              )
            )
            const others = starts.filter((_, place) => place !== 7)
            const started = yield* Effect.forEach(others, (fiber) => Fiber.join(fiber))
            assert.isTrue(started.every(({ changed }) => changed))
            return starts[7]
          })
        )

        const last = starting && (yield* Fiber.join(starting))
        assert.strictEqual(last?.run.execution.status, "running")
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("fail only him whose value the database refuses", () =>
      Effect.gen(function* () {
        const process = yield* makeProcess()
        const exits = yield* process.does(
          Effect.gen(function* () {
            const runs = yield* RunStore
            const claimed = yield* claimedRuns(30)
            yield* Effect.forEach(
              claimed,
              (run) => runs.start({ ...writeTo(run, second(2)), lease }),
              unbounded
            )
            return yield* Effect.forEach(
              claimed,
              (run, place) =>
                Effect.exit(
                  runs.finish({
                    ...writeTo(run, second(3)),
                    outcome: failing(place === 17 ? "not \u0000 storable" : "no such page"),
                    fingerprint: "failed"
                  })
                ),
              unbounded
            )
          })
        )

        assert.deepStrictEqual(
          exits.flatMap((exit, place) => (Exit.isSuccess(exit) ? [] : [place])),
          [17]
        )
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("fail only him whose row nobody can read", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [here, there] = yield* Effect.all([makeProcess(), makeProcess()])
        const claimed = yield* here.does(claimedRuns(30))
        const broken = claimed[17]?.execution.id ?? ""
        yield* sql`UPDATE executions SET inputs = '["not a question"]' WHERE id = ${broken}::uuid`

        // A process that remembers none of them.
        const exits = yield* Effect.forEach(
          claimed,
          (run) =>
            Effect.exit(
              there.does(RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease })))
            ),
          unbounded
        )
        yield* sql`UPDATE executions SET inputs = '[]' WHERE id = ${broken}::uuid`

        assert.deepStrictEqual(
          exits.flatMap((exit, place) => (Exit.isSuccess(exit) ? [] : [place])),
          [17]
        )
      })
    )

    it.effect("find what waits in its queue also when a claim is just moving it there", () =>
      Effect.gen(function* () {
        const process = yield* makeProcess()
        const { later, session } = yield* process.does(
          Effect.gen(function* () {
            const tenant = yield* makeTenant({ capacity: 1 })
            const scheduledAt = second(5)
            yield* makeExecution(tenant, { scheduledAt, priority: 1 })
            return {
              later: yield* makeExecution(tenant, { scheduledAt }),
              session: yield* makeSession(tenant)
            }
          })
        )
        const { accountId, id } = later
        const stop = ExecutionStore.use((executions) =>
          executions.stop({ accountId, id, to: "aborted", reason: null, at: second(7) })
        )

        const stopping = yield* process.does(
          heldOpen(
            claimUpTo(session, { limit: 1, at: second(6) }),
            Effect.gen(function* () {
              const fiber = yield* Effect.forkChild(process.does(stop))
              yield* Effect.provideContext(waitsForLock(fiber), yield* Effect.context<SqlClient>())
              return fiber
            })
          )
        )

        const { run } = yield* Fiber.join(stopping)
        assert.strictEqual(run.execution.status, "aborted")
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("give way to others when they are only swept", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const process = yield* makeProcess()
        const { run } = yield* process.does(Effect.flatMap(makeTenant(), makeStartedRun))
        const { accountId, id } = run.execution
        const sweep = process.does(
          Effect.map(
            SweepStore.use((sweeps) => sweeps.expireLeases({ at: second(70), limit: plenty })),
            (changes) => changes.filter((change) => change.run.execution.id === id).length
          )
        )

        const swept = yield* heldOpen(
          sql`
            SELECT id FROM executions
            WHERE bucket = ${bucketOfNew(accountId)}::smallint AND id = ${id}::uuid
            FOR UPDATE`,
          sweep
        )

        assert.deepStrictEqual([swept, yield* sweep], [0, 1])
      })
    )
  })
})
