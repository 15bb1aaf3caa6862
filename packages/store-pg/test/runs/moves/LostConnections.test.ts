/** Lifecycles whose connections end again and again. */
import { assert, describe, it } from "@effect/vitest"
import type { Change } from "@runhook/core/runs/Run"
import { RunStore } from "@runhook/core/runs/RunStore"
import { isStoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import { callbackUrl, makeExecution, makeTenant, second, type Tenant } from "@runhook/store-testing/Fixtures"
import {
  lease,
  makeClaimedRun,
  makeSession,
  startDeadline,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { makeLine } from "../../connections/Line.ts"
import { brokenRules } from "../../Invariants.ts"
import { makeProcess } from "../../Process.ts"
import { timeout } from "../../ProcessLayer.ts"
import { layerMigrated, TestDatabase } from "../../TestDatabase.ts"

const together = 50
const rounds = 10
const unbounded = { concurrency: "unbounded" } as const

/** Asks again while the database is away, as runners do. Any other end is a defect. */
const asking = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  call.pipe(
    Effect.catchDefect((defect) => (isStoreUnavailable(defect) ? Effect.fail(defect) : Effect.die(defect))),
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 50 }),
    Effect.orDie
  )

/** Moves something, and is told that this has moved it unless it was not told what became of it and asked again. */
const moving = Effect.fnUntraced(function* <E, R>(move: Effect.Effect<Change, E, R>) {
  let times = 0
  const { changed } = yield* asking(
    Effect.suspend(() => {
      times++
      return move
    })
  )
  assert.isTrue(changed || times > 1)
})

/** A round of lifecycles. Connections end while each of its steps is on its way. */
const round = Effect.fnUntraced(function* (
  tenant: Tenant,
  claimId: string,
  dropped: <A, E, R>(step: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
) {
  const runs = yield* RunStore
  yield* asking(makeExecution(tenant, { callbackUrl })).pipe((one) =>
    Effect.replicateEffect(one, together, unbounded)
  )
  const session = yield* asking(makeSession(tenant))
  const { claims } = yield* dropped(
    asking(runs.claim({ session, claimId, limit: together, startDeadline, at: second(1) }))
  )
  const held = claims.map(({ run }) => run)
  yield* dropped(
    Effect.forEach(held, (run) => moving(runs.start({ ...writeTo(run, second(2)), lease })), unbounded)
  )
  yield* dropped(
    Effect.forEach(
      held,
      (run) =>
        moving(
          runs.finish({
            ...writeTo(run, second(3)),
            outcome: { _tag: "Completed", result: null },
            fingerprint: "done"
          })
        ),
      unbounded
    )
  )
  return held.length
})

describe("Lifecycles whose connections are lost", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("are told of a change whose answer was lost that they made it", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()
        const watching = yield* makeProcess()
        const process = yield* makeProcess({
          url: line.url,
          beforeStatement: (text) =>
            text.includes("store_moves(") ? Effect.sync(line.loseAnswers) : Effect.void
        })
        const { run } = yield* watching.does(Effect.flatMap(makeTenant(), makeClaimedRun))
        const { id } = run.execution

        const starting = yield* Effect.forkChild(
          process.does(RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease })))
        )
        yield* SqlClient.use((sql) =>
          Effect.repeat(sql`SELECT id FROM executions WHERE id = ${id}::uuid AND status = 'running'`, {
            schedule: Schedule.spaced("10 millis"),
            times: 1_000,
            until: ({ length }) => length > 0
          })
        )
        line.hangUp()

        const { changed } = yield* Fiber.join(starting)
        assert.isTrue(changed)
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("are answered call by call, and each change of them happened once", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const process = yield* makeProcess()
        const watching = yield* Layer.build(
          Layer.fresh(PgDatabase.layerWithoutMigrations({ url, maxConnections: 1, timeout }))
        )
        const watch = Effect.provideContext(watching)
        const dropOthers = watch(
          SqlClient.use(
            (sql) => sql`
                SELECT pg_terminate_backend(pid)
                FROM pg_stat_activity
                WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
          )
        )
        let lost = 0
        const dropped = Effect.fnUntraced(function* <A, E, R>(step: Effect.Effect<A, E, R>) {
          const fiber = yield* Effect.forkChild(step, { startImmediately: true })
          lost += (yield* Effect.orDie(dropOthers)).length
          return yield* Fiber.join(fiber)
        })

        const tenant = yield* process.does(makeTenant({ capacity: together }))
        for (let place = 0; place < rounds; place++) {
          assert.strictEqual(yield* process.does(round(tenant, `claim-${place}`, dropped)), together)
        }

        assert.isAtLeast(lost, rounds)
        const histories = yield* watch(
          SqlClient.use(
            (sql) => sql`
                SELECT e.status, e.revision, count(*)::integer AS count
                FROM executions e
                WHERE e.account_id = ${tenant.accountId}::uuid
                GROUP BY 1, 2`
          )
        )
        assert.deepStrictEqual(histories, [{ status: "completed", revision: 4, count: rounds * together }])
        assert.deepStrictEqual(yield* watch(brokenRules), [])
      })
    )
  })
})
