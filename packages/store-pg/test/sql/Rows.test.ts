import { assert, describe, it } from "@effect/vitest"
import { boolean, integer, integers, json, texts, timestamptz, uuid } from "@runhook/store-pg/sql/Parameters"
import { type Columns, fixedRows, rows } from "@runhook/store-pg/sql/Rows"
import { fixed, statement } from "@runhook/store-pg/sql/Statement"
import { second } from "@runhook/store-testing/Fixtures"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestDatabase from "../TestDatabase.ts"

interface Item {
  readonly id: string
  readonly at: DateTime.Utc | null
  readonly words: ReadonlyArray<string> | null
  readonly numbers: ReadonlyArray<number>
  readonly value: string | null
}

const items: ReadonlyArray<Item> = [
  { id: "01890a5d-ac96-774b-bcce-b302099a8057", at: second(1), words: ["a", "b"], numbers: [], value: "{}" },
  { id: "01890a5d-ac96-774b-bcce-b302099a8058", at: null, words: null, numbers: [1, 2], value: null }
]

const columns: Columns<Item> = {
  id: uuid(({ id }) => id),
  at: timestamptz(({ at }) => at),
  words: texts(({ words }) => words),
  numbers: integers(({ numbers }) => numbers),
  value: json(({ value }) => value)
}

const read = [
  { ...items[0], value: {} },
  { ...items[1], value: null }
]

interface Batch {
  readonly items: ReadonlyArray<Item>
}

const itemsOf = (batch: Batch) => batch.items

describe("Rows that a statement is given", () => {
  it.layer(TestDatabase.layerEmpty)((it) => {
    it.effect("have each column under its name and with its type, lists and nothing among them", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient

        const found = yield* sql`SELECT * FROM ${rows("given", items, columns)} ORDER BY given.id`

        assert.deepStrictEqual(found, read)
      })
    )

    it.effect("are none when there are none", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient

        const found = yield* sql`SELECT * FROM ${rows("given", [], columns)}`

        assert.deepStrictEqual(found, [])
      })
    )

    it.effect("are read off what is asked in a fixed text", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const all = statement(
          fixed<Batch>`SELECT * FROM ${fixedRows("given", itemsOf, columns)} ORDER BY given.id`
        )

        const found = yield* all(sql, { items })

        assert.deepStrictEqual(found, read)
      })
    )

    it.effect("name their columns beside their types, one array each", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const few: Columns<Item> = {
          numbers: integer(({ numbers }) => numbers.length),
          is_dated: boolean(({ at }) => at !== null)
        }

        const [words] = sql`SELECT FROM ${rows("given", items, few)}`.compile()

        assert.strictEqual(
          words,
          "SELECT FROM unnest($1::integer[], $2::boolean[]) AS given (numbers, is_dated)"
        )
      })
    )
  })
})
