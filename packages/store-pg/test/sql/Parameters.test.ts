import { assert, describe, it } from "@effect/vitest"
import {
  bigint,
  boolean,
  float8,
  integer,
  integers,
  json,
  jsonb,
  smallint,
  text,
  texts,
  timestamptz,
  uuid,
  uuids
} from "@runhook/store-pg/sql/Parameters"
import { fixed, statement } from "@runhook/store-pg/sql/Statement"
import { second } from "@runhook/store-testing/Fixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as TestDatabase from "../TestDatabase.ts"

const id = "01890a5d-ac96-774b-bcce-b302099a8057"
const at = second(1.5)

/** Each type by its name in PostgreSQL: a value of it, what it is read as, and nothing. */
const types: ReadonlyArray<{
  readonly name: string
  readonly value: Fragment
  readonly read: unknown
  readonly nothing: Fragment
}> = [
  { name: "smallint", value: smallint(7), read: 7, nothing: smallint(null) },
  { name: "integer", value: integer(70_000), read: 70_000, nothing: integer(null) },
  { name: "bigint", value: bigint(5_000_000_000), read: 5_000_000_000n, nothing: bigint(null) },
  { name: "double precision", value: float8(0.5), read: 0.5, nothing: float8(null) },
  { name: "boolean", value: boolean(false), read: false, nothing: boolean(null) },
  { name: "text", value: text("'; SELECT 1"), read: "'; SELECT 1", nothing: text(null) },
  { name: "uuid", value: uuid(id), read: id, nothing: uuid(null) },
  { name: "timestamp with time zone", value: timestamptz(at), read: at, nothing: timestamptz(null) },
  { name: "json", value: json(`{"a":[1]}`), read: { a: [1] }, nothing: json(null) },
  { name: "jsonb", value: jsonb(`{"a":[1]}`), read: { a: [1] }, nothing: jsonb(null) },
  { name: "integer[]", value: integers([1, 2]), read: [1, 2], nothing: integers(null) },
  { name: "text[]", value: texts(["a b", ""]), read: ["a b", ""], nothing: texts(null) },
  { name: "uuid[]", value: uuids([]), read: [], nothing: uuids(null) }
]

describe("A parameter that carries its cast", () => {
  it.layer(TestDatabase.layerEmpty)((it) => {
    it.effect("is the same instant to the millisecond after a round trip, from year 1 to 9999", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const last = Date.parse("9999-12-31T23:59:59.999Z")
        const first = Date.parse("0001-01-01T00:00:00.000Z")
        const step = Math.floor((last - first) / 97)
        const instants = [
          ...Array.from({ length: 97 }, (_, index) => first + index * step),
          last - 1,
          last
        ].map((millis) => DateTime.makeUnsafe(millis))

        const rows = yield* Effect.forEach(
          instants,
          (instant) => sql<{ at: DateTime.Utc }>`SELECT ${timestamptz(instant)} AS at`
        )

        assert.deepStrictEqual(
          rows.map(([row]) => row && DateTime.formatIso(row.at)),
          instants.map(DateTime.formatIso)
        )
      })
    )

    it.effect.each(types)("has the type $name, also when it is null", ({ name, nothing, read, value }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient

        const [found] = yield* sql`
          SELECT pg_typeof(${value})::text AS type, ${value} AS value,
            pg_typeof(${nothing})::text AS "typeOfNothing", ${nothing} AS nothing`

        assert.deepStrictEqual(found, { type: name, value: read, typeOfNothing: name, nothing: null })
      })
    )

    it.effect("is the same words in a template and in a fixed text", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const found = statement(fixed<{ readonly id: string }>`SELECT ${uuid((asked) => asked.id)} AS id`)

        const composed = sql`SELECT ${uuid(id)} AS id`.compile()
        const built = found(sql, { id }).compile()

        assert.deepStrictEqual(composed, ["SELECT $1::uuid AS id", [id]])
        assert.deepStrictEqual(built, composed)
      })
    )
  })
})
