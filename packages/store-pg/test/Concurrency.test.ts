import { assert, describe, it } from "@effect/vitest"
import { second } from "@runhook/store-testing/Fixtures"
import { lease } from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import { brokenRules } from "./Invariants.ts"
import { aProcess, type Process } from "./Process.ts"
import { layerMigrated } from "./TestDatabase.ts"
import { aField, aWalk } from "./walks/Walk.ts"

const unbounded = { concurrency: "unbounded" } as const

const steps = 150

const instantOf = (step: number) => Effect.succeed(second(step / 8))

/** As many walkers at each of the processes. */
const walkersAt = (processes: ReadonlyArray<Process>, count: number) =>
  Effect.gen(function* () {
    const [first] = processes
    const field = first && (yield* first.does(aField(lease, second(0))))
    assert.isDefined(field)
    if (field === undefined) return
    const walks = processes.flatMap((process) =>
      Array.from({ length: count }, () => process.does(aWalk(field, { steps, instantOf })))
    )
    yield* Effect.all(walks, unbounded)
  })

describe("PostgreSQL under concurrent verbs", () => {
  it.layer(layerMigrated)((it) => {
    it.effect(
      "keeps every row in step with every other",
      () =>
        Effect.gen(function* () {
          yield* walkersAt([yield* aProcess()], 16)

          assert.deepStrictEqual(yield* brokenRules, [])
        }),
      60_000
    )

    it.effect(
      "keeps every row in step with every other while two processes move the same executions",
      () =>
        Effect.gen(function* () {
          yield* walkersAt(yield* Effect.all([aProcess(), aProcess()]), 4)

          assert.deepStrictEqual(yield* brokenRules, [])
        }),
      60_000
    )
  })
})
