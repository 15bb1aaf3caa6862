import { assert, describe, it } from "@effect/vitest"
import { nothingOf, storeJudged } from "@runhook/store-pg/batches/Misjudged"
import { texts } from "@runhook/store-pg/sql/Parameters"
import { fixed, statement } from "@runhook/store-pg/sql/Statement"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty } from "../TestDatabase.ts"

/** Finds something that is otherwise whatever it is asked. */
const finding = statement(fixed<ReadonlyArray<string>>`
  SELECT WHERE ${nothingOf<ReadonlyArray<string>>(fixed`SELECT unnest(${texts((ids: ReadonlyArray<string>) => ids)}), 'held'`)}`)

const items = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]

describe("What is judged before it is stored", () => {
  it.layer(layerEmpty, { excludeTestServices: true })((it) => {
    it.effect("is stored unjudged at last, when each judgement turns out to be wrong", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const places = new Map(items.map((item) => [item, "kept"]))
        const sent: Array<number> = []
        const storing = storeJudged<string, string, string>({
          idOf: (item) => item,
          store: (some, kept) => {
            sent.push(kept.size)
            return Effect.as(finding(sql, some.slice(0, 1)), new Map<string, string>())
          },
          storeUnjudged: (some, kept) =>
            Effect.succeed(new Map(some.map((item) => [item, kept.get(item) ?? "none"]))),
          outcomeOf: () => undefined
        })

        const outcomes = yield* storing(items, places)

        assert.deepStrictEqual(sent, [2, 1, 1, 1])
        assert.deepStrictEqual([...outcomes.values()], ["none", "kept"])
      })
    )

    it.effect("has the outcome of its word, while the rest is sent again", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [wrong, right] = items
        const storing = storeJudged<string, string, string>({
          idOf: (item) => item,
          store: (some) =>
            some.length === 2
              ? Effect.as(finding(sql, some.slice(0, 1)), new Map<string, string>())
              : Effect.succeed(new Map(some.map((item) => [item, "stored"]))),
          storeUnjudged: () => Effect.die("Nothing is sent so often"),
          outcomeOf: (_, word) => word
        })

        const outcomes = yield* storing(items, new Map())

        assert.deepStrictEqual(
          [...outcomes],
          [
            [wrong, "held"],
            [right, "stored"]
          ]
        )
      })
    )
  })
})
