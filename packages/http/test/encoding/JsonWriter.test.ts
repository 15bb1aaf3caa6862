import { assert, describe, it } from "@effect/vitest"
import { NotFound } from "@runhook/contract/Errors"
import { AnyId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { StoredJson, StoredObjectFromValue } from "@runhook/core/shared/json/StoredJson"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { writerOf } from "../../src/encoding/JsonWriter.ts"
import { answers } from "./Answers.ts"

/** Of each answer so many values: more than eighty answers share most of their parts. */
const someRuns = { arbitrary: { runs: 30 } }

describe("writerOf", () => {
  it("knows every answer of all APIs", () => {
    assert.isAbove(answers.length, 80)
    for (const { name, schema } of answers) assert.doesNotThrow(() => writerOf(schema), undefined, name)
  })

  for (const { name, schema } of answers) {
    const encode = Schema.encodeSync(schema)
    const decode = Schema.decodeUnknownSync(schema)

    it.prop(
      `writes what the schema encodes: ${name}`,
      [schema],
      ([made]) => {
        const write = writerOf(schema)
        // Ids are in lower case once they were read.
        const value = decode(JSON.parse(write(made)))
        const text = write(value)

        assert.strictEqual(text, JSON.stringify(encode(value)))
        assert.deepStrictEqual(decode(JSON.parse(text)), value)
      },
      someRuns
    )
  }

  it("escapes texts, keys of records and JSON", () => {
    const write = writerOf(
      Schema.Struct({
        text: Schema.String,
        labels: Schema.Record(Schema.String, Schema.String),
        json: Schema.Json
      })
    )
    const value = {
      text: '"\\\n\u2028',
      labels: { 'a"': "\t", __proto__: "own" },
      json: ["\u0000", { 'b"': 1e21 }]
    }

    assert.strictEqual(write(value), JSON.stringify(value))
  })

  it("leaves out optional keys without a value, wherever they stand", () => {
    const write = writerOf(
      Schema.Struct({
        first: Schema.optionalKey(Schema.String),
        second: Schema.optionalKey(Schema.Int),
        last: Schema.optionalKey(Schema.Boolean)
      })
    )

    assert.strictEqual(write({}), "{}")
    assert.strictEqual(write({ second: 1 }), '{"second":1}')
    assert.strictEqual(write({ first: "a", last: true }), '{"first":"a","last":true}')
  })

  it("writes stored JSON as it is", () => {
    const write = writerOf(Schema.Struct({ params: Schema.NullOr(StoredObjectFromValue) }))

    assert.strictEqual(write({ params: StoredJson.fromText("{ not read }") }), '{"params":{ not read }}')
    assert.strictEqual(write({ params: null }), '{"params":null}')
  })

  it("writes of an error what its schema has", () => {
    const error = { code: "not_found" as const, message: "No such thing", details: null, request_id: "req_1" }

    assert.strictEqual(writerOf(NotFound)(new NotFound({ error })), JSON.stringify({ error }))
  })

  it("tells the members of a union apart", () => {
    const byTag = writerOf(
      Schema.Union([
        Schema.Struct({ type: Schema.Literal("one"), value: Schema.Int }),
        Schema.Struct({ type: Schema.Literals(["two", "three"]), value: Timestamp })
      ])
    )
    const byKey = writerOf(
      Schema.Union([
        Schema.Struct({ a: Schema.Int, c: Schema.String }),
        Schema.Struct({ c: Schema.String }),
        Schema.Struct({ b: Schema.Int, c: Schema.String })
      ])
    )
    const byKind = writerOf(
      Schema.Union([
        Schema.Boolean,
        Schema.Int,
        AnyId,
        Schema.Array(Schema.Int),
        KnownJsonObject,
        Schema.Null
      ])
    )
    const at = Schema.decodeSync(Timestamp)("2026-03-07T09:30:00Z")

    assert.strictEqual(byTag({ type: "one", value: 1 }), '{"type":"one","value":1}')
    assert.strictEqual(
      byTag({ type: "three", value: at }),
      '{"type":"three","value":"2026-03-07T09:30:00.000Z"}'
    )
    for (const value of [{ c: "x" }, { a: 1, c: "x" }, { b: 1, c: "x" }]) {
      assert.strictEqual(byKey(value), JSON.stringify(value))
    }
    for (const value of [true, 1, "0190a3b2-7c1d-7def-8abc-000000000000", [1], { a: {} }, null]) {
      assert.strictEqual(byKind(value), JSON.stringify(value))
    }
  })

  it("refuses what it does not know, and says where", () => {
    const refuses = (schema: Schema.Top, path: string) =>
      assert.throws(() => writerOf(Schema.Struct({ a: Schema.Array(schema) })), path)

    // Not all numbers are JSON.
    refuses(Schema.Number, "Objects.a[]")
    refuses(Schema.Date, "Objects.a[]")
    refuses(Schema.BigInt, "Objects.a[]")
    refuses(Schema.Unknown, "Objects.a[]")
    refuses(Schema.Tuple([Schema.Int]), "Objects.a[]")
    refuses(Schema.DateTimeUtcFromDate, "Objects.a[]")
    refuses(Schema.NumberFromString, "Objects.a[]")
    refuses(Schema.Struct({ b: Schema.Duration }), "Objects.a[].b")
    refuses(
      Schema.StructWithRest(Schema.Struct({ b: Schema.Int }), [Schema.Record(Schema.String, Schema.Int)]),
      "Objects.a[]"
    )
    refuses(Schema.Union([Schema.Int, Schema.Finite]), "Objects.a[]: nothing tells its members apart")
    refuses(Schema.Union([Schema.Int, Schema.Json]), "Objects.a[]: nothing tells its Declaration")
    refuses(Schema.Union([Timestamp, KnownJsonObject]), "Objects.a[]: nothing tells its members apart")
    refuses(Schema.Trim.pipe(Schema.decodeTo(AnyId)), "Objects.a[]")
    refuses(
      Schema.Union([
        Schema.Struct({ b: Schema.Literal("x"), c: Schema.Int }),
        Schema.Struct({ b: Schema.Literals(["x", "y"]), c: Schema.String })
      ]),
      "Objects.a[]: nothing tells its members apart"
    )
    refuses(
      Schema.Union([Schema.Struct({ b: Schema.Int }), Schema.Struct({ b: Schema.String })]),
      "Objects.a[]: nothing tells its members apart"
    )
    refuses(
      Schema.Union([
        Schema.Struct({ b: Schema.optionalKey(Schema.Literal("x")) }),
        Schema.Struct({ b: Schema.optionalKey(Schema.Literal("y")) })
      ]),
      "Objects.a[]: nothing tells its members apart"
    )
  })

  it("writes nothing wrong for a value of another type, and says where", () => {
    const schema = Schema.Struct({
      id: AnyId,
      text: Schema.String,
      number: Schema.Int,
      flag: Schema.Boolean,
      at: Timestamp,
      one: Schema.Literals(["a", "b"]),
      many: Schema.Array(Schema.Struct({ json: Schema.Json })),
      stored: StoredObjectFromValue
    })
    const right = {
      id: "0190a3b2-7c1d-7def-8abc-000000000000",
      text: "",
      number: 0,
      flag: false,
      at: Schema.decodeSync(Timestamp)("2026-03-07T09:30:00Z"),
      one: "a",
      many: [{ json: null }],
      stored: StoredJson.of({})
    }
    const write: (value: never) => string = writerOf(schema)
    const refuses = (wrong: object, message: string) =>
      assert.throws(() => Reflect.apply(write, undefined, [{ ...right, ...wrong }]), message)

    assert.isString(Reflect.apply(write, undefined, [right]))
    refuses({ id: 1 }, "Objects.id must be an id")
    refuses({ text: null }, "Objects.text must be a string")
    refuses({ number: Number.NaN }, "Objects.number must be a finite number")
    refuses({ flag: "true" }, "Objects.flag must be a boolean")
    refuses({ at: "2026-03-07T09:30:00Z" }, "Objects.at must be an instant")
    refuses({ one: "c" }, 'Objects.one must be one of "a", "b"')
    refuses({ many: {} }, "Objects.many must be an array")
    refuses({ many: [1] }, "Objects.many[] must be an object")
    refuses({ many: [{}] }, "Objects.many[].json is missing")
    refuses({ stored: {} }, "Objects.stored must be stored JSON")
    refuses({ text: undefined }, "Objects.text is missing")
  })
})
