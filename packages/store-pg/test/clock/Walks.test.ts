import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { brokenRules } from "../Invariants.ts"
import { aProcess } from "../Process.ts"
import { layerMigrated } from "../TestDatabase.ts"
import { aField, aWalk } from "../walks/Walk.ts"
import { databaseNow } from "./Skewed.ts"

/** Short, so that sweeps find that some have ended. */
const lease = Duration.millis(50)

const walk = { steps: 100, instantOf: () => databaseNow }

describe("PostgreSQL under concurrent verbs, on its own clock", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect(
      "keeps every row in step with every other while two processes move the same executions",
      () =>
        Effect.gen(function* () {
          const clock = "database"
          const processes = yield* Effect.all([aProcess({ clock }), aProcess({ clock })])
          const field = yield* processes[0].does(Effect.flatMap(databaseNow, (at) => aField(lease, at)))

          yield* Effect.forEach(
            processes.flatMap((process) => [process, process, process, process]),
            (process) => process.does(aWalk(field, walk)),
            { concurrency: "unbounded" }
          )

          const sql = yield* SqlClient
          const types = yield* sql<{ readonly type: string }>`SELECT DISTINCT type FROM execution_events`
          assert.includeMembers(
            types.map(({ type }) => type),
            ["claimed", "started", "completed", "requeued", "aborted"]
          )
          assert.deepStrictEqual(yield* brokenRules, [])
        }),
      60_000
    )
  })
})
