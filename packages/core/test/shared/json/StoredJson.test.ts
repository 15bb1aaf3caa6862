import { assert, describe, it } from "@effect/vitest"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Hash from "effect/Hash"
import * as Schema from "effect/Schema"
import type { JsonObject } from "../../../src/shared/json/Json.ts"
import {
  StoredJson,
  StoredObject,
  StoredObjectFromText,
  StoredObjectFromValue
} from "../../../src/shared/json/StoredJson.ts"

const text = '{"b":[1,{"c":null}],"a":"é"}'
const value: JsonObject = { b: [1, { c: null }], a: "é" }

describe("StoredJson", () => {
  it("says the same, made of a value or of its text", () => {
    assert.strictEqual(StoredJson.of(value).text, text)
    assert.deepStrictEqual(StoredJson.fromText(text).value, value)
    assert.deepStrictEqual(StoredJson.of(value), StoredJson.fromText<JsonObject>(text))
    assert.strictEqual(StoredJson.of(value).bytes, text.length + 1)
  })

  it("gives the value that it was made of, and reads a text once", () => {
    const read = StoredJson.fromText(text)

    assert.strictEqual(StoredJson.of(value).value, value)
    assert.strictEqual(read.value, read.value)
  })

  it("does not read a text that nobody asks for", () => {
    const broken = StoredJson.fromText("{")

    assert.strictEqual(broken.text, "{")
    assert.isTrue(Equal.equals(broken, StoredJson.fromText("{")))
    assert.throws(() => broken.value, SyntaxError)
  })

  it("keeps values that are nothing", () => {
    for (const nothing of [null, false, 0, ""]) {
      assert.strictEqual(StoredJson.of(nothing).value, nothing)
      assert.strictEqual(StoredJson.fromText(JSON.stringify(nothing)).value, nothing)
    }
  })

  it("equals what has the same text, and nothing else", () => {
    const [one, same, other] = [StoredJson.of(value), StoredJson.fromText(text), StoredJson.of({ b: 1 })]

    assert.isTrue(Equal.equals(one, same))
    assert.strictEqual(Hash.hash(one), Hash.hash(same))
    assert.isFalse(Equal.equals<unknown, unknown>(one, other))
    assert.notDeepEqual<unknown>(one, other)
    assert.isFalse(Equal.equals<unknown, unknown>(one, { text }))
  })

  it("is what it says inside of other JSON", () => {
    assert.strictEqual(JSON.stringify({ params: StoredJson.fromText(text) }), `{"params":${text}}`)
  })
})

describe("the schemas of a stored object", () => {
  it("read an object and write it", () => {
    const stored = Schema.decodeUnknownSync(StoredObjectFromValue)(value)

    assert.deepStrictEqual(stored, StoredJson.of(value))
    assert.deepStrictEqual(Schema.encodeSync(StoredObjectFromValue)(stored), value)
    assert.deepStrictEqual(Schema.encodeSync(Schema.toCodecJson(StoredObject))(stored), value)
    assert.deepStrictEqual(Schema.decodeUnknownSync(Schema.toCodecJson(StoredObject))(value), stored)
  })

  it("read a text and write it", () => {
    const stored = Schema.decodeUnknownSync(StoredObjectFromText)(text)

    assert.deepStrictEqual(stored, StoredJson.of(value))
    assert.strictEqual(Schema.encodeSync(StoredObjectFromText)(stored), text)
  })

  it("refuse what is no object", () => {
    const refused = (schema: Schema.Decoder<unknown>, input: unknown) =>
      assert.isTrue(Exit.isFailure(Schema.decodeUnknownExit(schema)(input)))

    for (const input of [[], null, "{}", 1]) refused(StoredObjectFromValue, input)
    for (const input of ["[]", "null", {}, 1]) refused(StoredObjectFromText, input)
    for (const input of [value, text, StoredJson.of([]), StoredJson.of(null)]) refused(StoredObject, input)
  })
})
