import { assert, describe, it } from "@effect/vitest"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { second } from "@runhook/store-testing/Fixtures"
import { lease } from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { acrossBuckets, brokenRules } from "./Invariants.ts"
import { makeProcess, type Process } from "./Process.ts"
import { layerMigrated } from "./TestDatabase.ts"
import { makeField, makeWalk } from "./walks/Walk.ts"

const unbounded = { concurrency: "unbounded" } as const

const steps = 150

const instantOf = (step: number) => Effect.succeed(second(step / 8))

/** As many walkers at each of the processes. */
const walkersAt = (processes: ReadonlyArray<Process>, count: number) =>
  Effect.gen(function* () {
    const [first] = processes
    const field = first && (yield* first.does(makeField(lease, second(0))))
    assert.isDefined(field)
    if (field === undefined) return
    const walks = processes.flatMap((process) =>
      Array.from({ length: count }, () => process.does(makeWalk(field, { steps, instantOf })))
    )
    yield* Effect.all(walks, unbounded)
  })

/** Gives seats until no key has news, and cancels what is in the way. */
const giveSeats = Effect.gen(function* () {
  const executions = yield* ExecutionStore
  const store = yield* SweepStore
  for (let round = 0; round < 100; round++) {
    const at = second(steps + round)
    const { inTheWay, keys } = yield* store.giveSeats({ at, limit: 100 })
    if (keys === 0) return
    yield* Effect.forEach(inTheWay, (ref) =>
      executions.stop({ ...ref, to: "cancelled", reason: "replaced", at })
    )
  }
})

/** The keys whose next could have a seat, and does not. */
const idleSeats = Effect.gen(function* () {
  yield* (yield* makeProcess()).does(giveSeats)
  const sql = yield* SqlClient
  return yield* acrossBuckets(sql`
    SELECT q.account_id, q.key
    FROM concurrency_queue q
    WHERE q.look_at IS NULL AND NOT EXISTS (
      SELECT FROM concurrency_queue f
      WHERE f.account_id = q.account_id AND f.key = q.key AND f.look_at IS NULL
        AND (f.seat_rank, f.rank, f.due_at, f.execution_id) < (q.seat_rank, q.rank, q.due_at, q.execution_id)
    ) AND q.seats > (
      SELECT count(*) FROM concurrency_seats s
      WHERE s.account_id = q.account_id AND s.key = q.key AND NOT s.is_left
    )`)
})

describe("PostgreSQL under concurrent verbs", () => {
  it.layer(layerMigrated)((it) => {
    it.effect("keeps every row in step with every other", () =>
      Effect.gen(function* () {
        yield* walkersAt([yield* makeProcess()], 16)

        assert.deepStrictEqual(yield* brokenRules, [])
        assert.deepStrictEqual(yield* idleSeats, [])
      })
    )

    it.effect("keeps every row in step with every other while two processes move the same executions", () =>
      Effect.gen(function* () {
        yield* walkersAt(yield* Effect.all([makeProcess(), makeProcess()]), 4)

        assert.deepStrictEqual(yield* brokenRules, [])
        assert.deepStrictEqual(yield* idleSeats, [])
      })
    )
  })
})
