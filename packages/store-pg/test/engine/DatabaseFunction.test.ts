import { assert, describe, it } from "@effect/vitest"
import { databaseFunction } from "@runhook/store-pg/engine/DatabaseFunction"
import type { InBucket } from "@runhook/store-pg/sql/Statement"
import { float8, json, text, timestamptz, uuid } from "@runhook/store-pg/sql/Parameters"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty } from "../TestDatabase.ts"

interface Item {
  readonly id: string
  readonly at: DateTime.Utc | null
  readonly words: string | null
}

interface Request extends InBucket {
  readonly millis: number | null
  readonly items: ReadonlyArray<Item>
}

const sample = databaseFunction({
  name: "sample",
  parameters: { millis: float8(({ millis }: Request) => millis) },
  columns: {
    id: uuid(({ id }: Item) => id),
    at: timestamptz(({ at }: Item) => at),
    words: json(({ words }: Item) => words),
    nothing: text<Item>(() => null)
  },
  answer: Schema.Struct({
    heldFor: Schema.NullOr(Schema.Number),
    id: Schema.String,
    at: Schema.NullOr(Schema.DateTimeUtc),
    hasWords: Schema.Boolean,
    hasNothing: Schema.Boolean
  })
})

const definition = `
  CREATE FUNCTION sample(p_bucket smallint, p_millis float8, p_id uuid[], p_at timestamptz[], p_words text[], p_nothing text[])
  RETURNS TABLE (held_for float8, id uuid, at timestamptz, has_words boolean, has_nothing boolean)
  LANGUAGE plpgsql AS $$ BEGIN
    RETURN QUERY SELECT p_millis, a.id, a.at, p_words IS NOT NULL, p_nothing IS NOT NULL
    FROM (SELECT unnest(p_id) AS id, unnest(p_at) AS at) AS a;
  END $$`

const [first, second] = ["018f0000-0000-7000-8000-000000000001", "018f0000-0000-7000-8000-000000000002"]

const at = DateTime.makeUnsafe("2031-02-03T04:05:06.789Z")

describe("databaseFunction", () => {
  it.layer(layerEmpty)((it) => {
    it.effect("sends each column once, and null for one of which no item has a value", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql.unsafe(definition)

        const several = yield* sample.call(sql, {
          bucket: 7,
          millis: 1.5,
          items: [
            { id: first, at, words: null },
            { id: second, at: null, words: `{"a":1}` }
          ]
        })
        const none = yield* sample.call(sql, {
          bucket: 7,
          millis: null,
          items: [{ id: first, at: null, words: null }]
        })

        const row = { heldFor: 1.5, hasWords: true, hasNothing: false }
        assert.deepStrictEqual(several, [
          { ...row, id: first, at },
          { ...row, id: second, at: null }
        ])
        assert.deepStrictEqual(none, [
          { heldFor: null, id: first, at: null, hasWords: false, hasNothing: false }
        ])
      })
    )
  })
})
