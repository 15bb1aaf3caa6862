import { assert, describe, it } from "@effect/vitest"
import * as Array from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { brokenRules } from "../Invariants.ts"
import { makeProcess } from "../Process.ts"
import { layerMigrated } from "../TestDatabase.ts"
import { makeField, makeWalk } from "../walks/Walk.ts"
import { databaseNow } from "./Skewed.ts"

/** Short, so that sweeps find that some have ended. */
const lease = Duration.millis(50)

const walk = { steps: 100, instantOf: () => databaseNow }

/** What a walk is not whole without. */
const wanted = ["claimed", "started", "completed", "requeued", "aborted"]

describe("PostgreSQL under concurrent verbs, on its own clock", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("keeps every row in step with every other while two processes move the same executions", () =>
      Effect.gen(function* () {
        const clock = "database"
        const processes = yield* Effect.all([makeProcess({ clock }), makeProcess({ clock })])
        const field = yield* processes[0].does(Effect.flatMap(databaseNow, (at) => makeField(lease, at)))

        const sql = yield* SqlClient
        const missing = Effect.map(
          sql<{ readonly type: string }>`SELECT DISTINCT type FROM execution_events`,
          (types) =>
            Array.difference(
              wanted,
              Array.map(types, ({ type }) => type)
            )
        )

        // On a slow machine most leases end before their work does.
        const unseen = yield* Effect.forEach(
          processes.flatMap((process) => [process, process, process, process]),
          (process) => process.does(makeWalk(field, walk)),
          { concurrency: "unbounded" }
        ).pipe(Effect.andThen(missing), Effect.repeat({ until: Array.isArrayEmpty, times: 9 }))

        assert.deepStrictEqual(unseen, [])
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )
  })
})
