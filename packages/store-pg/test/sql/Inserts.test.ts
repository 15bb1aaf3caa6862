import { assert, describe, it } from "@effect/vitest"
import { added, type Insert } from "@runhook/store-pg/sql/Inserts"
import { integer, timestamptz } from "@runhook/store-pg/sql/Parameters"
import type { InBucket } from "@runhook/store-pg/sql/Statement"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty } from "../TestDatabase.ts"

interface Step {
  readonly number: number
  readonly at: DateTime.Utc
}

const insert: Insert<InBucket> = {
  as: "inserted",
  into: "execution_events",
  row: { number: "number", at: "at" }
}

describe("The rows that steps add by themselves", () => {
  it.layer(layerEmpty)((it) => {
    it.effect("have instants of the precision of their column, before Citus takes the row apart", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const columns = {
          number: integer((step: Step) => step.number),
          at: timestamptz((step: Step) => step.at)
        }
        const parts = [{ isOf: () => true, inserts: insert }]
        const step = { number: 1, at: DateTime.makeUnsafe(0) }

        const [statement] = added(sql, { batch: { bucket: 1 }, columns, parts }, [step])

        const [words] = statement?.compile() ?? []
        assert.match(
          words ?? "",
          /unnest\(\$\d::integer\[\]::\w+\[\]\), \(\$\d::timestamptz\(3\)\[\]\)\[generate_series\(/
        )
      })
    )
  })
})
