import { assert, describe, it } from "@effect/vitest"
import * as TestSchema from "effect/testing/TestSchema"
import {
  CallerMetadata,
  metadataBytesMax,
  metadataIssue,
  metadataKeysMax,
  metadataValueLengthMax,
  stripReserved
} from "../../src/executions/Metadata.ts"
import { type JsonObject, ReadableJson } from "../../src/shared/json/Json.ts"
import { StoredJson } from "../../src/shared/json/StoredJson.ts"

const withKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 1]))

/** Metadata of so many bytes: 20 values of one character each, and one that fills up. */
const ofBytes = (bytes: number) => {
  const full = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, "x".repeat(390)]))
  const missing = bytes - JSON.stringify({ ...full, rest: "" }).length
  return { ...full, rest: "x".repeat(missing) }
}

/** A list whose JSON has so many characters. */
const listOf = (length: number) => ({ list: ["x".repeat(length - '[""]'.length)] })

describe("metadataIssue", () => {
  it("accepts metadata at every limit", () => {
    assert.isUndefined(metadataIssue({}))
    assert.isUndefined(metadataIssue(withKeys(metadataKeysMax)))
    assert.isUndefined(metadataIssue({ key: "x".repeat(metadataValueLengthMax) }))
    assert.isUndefined(metadataIssue(ofBytes(metadataBytesMax)))
  })

  it("counts the bytes of its JSON in UTF-8", () => {
    assert.deepStrictEqual(metadataIssue(ofBytes(metadataBytesMax + 1)), {
      path: [],
      message: "must be at most 8192 bytes of JSON, is 8193"
    })
    assert.isDefined(metadataIssue({ ...ofBytes(metadataBytesMax - 7), é: "" }))
  })

  it("counts keys", () => {
    assert.deepStrictEqual(metadataIssue(withKeys(metadataKeysMax + 1)), {
      path: [],
      message: "must have at most 50 keys, has 51"
    })
  })

  it("counts the characters of a string, not its UTF-16 units", () => {
    assert.isUndefined(metadataIssue({ note: "😀".repeat(metadataValueLengthMax) }))
    assert.deepStrictEqual(metadataIssue({ note: "😀".repeat(metadataValueLengthMax + 1) }), {
      path: ["note"],
      message: 'the value of "note" must be at most 500 characters, has 501'
    })
  })

  it("counts the JSON of a value that is no string", () => {
    assert.isUndefined(metadataIssue(listOf(metadataValueLengthMax)))
    assert.deepStrictEqual(metadataIssue(listOf(metadataValueLengthMax + 1))?.path, ["list"])
  })

  it("refuses reserved keys by name", () => {
    assert.deepStrictEqual(metadataIssue({ "_service.trace": 1 }), {
      path: ["_service.trace"],
      message: 'the key "_service.trace" must not start with the reserved prefix "_service."'
    })
    assert.isUndefined(metadataIssue({ _service: 1, "x_service.": 1 }))
  })

  it("refuses what cannot be stored", () => {
    assert.deepStrictEqual(metadataIssue({ note: { deep: "\u0000" } })?.path, ["note", "deep"])
  })
})

describe("CallerMetadata", () => {
  const asserts = new TestSchema.Asserts(CallerMetadata)
  const [decoding, arbitrary] = [asserts.decoding(), asserts.arbitrary()]

  it("says which key breaks which rule", async () => {
    await decoding.fail(
      { "_service.x": 1 },
      'the key "_service.x" must not start with the reserved prefix "_service."\n  at ["_service.x"]'
    )
  })

  it("is an object", async () => {
    await decoding.fail([], "Expected object")
  })

  it("generates what it accepts", () => {
    arbitrary.verifyGeneration()
  })
})

describe("stripReserved", () => {
  it("takes out reserved keys and no others", () => {
    const metadata = StoredJson.of({ "_service.a": 1, b: { "_service.c": 2 } })

    assert.deepStrictEqual(stripReserved(metadata), StoredJson.of({ b: { "_service.c": 2 } }))
  })

  it("takes out reserved keys that something else has spelled with escapes", () => {
    const metadata = StoredJson.fromText<JsonObject>(
      '{"\\u005fservice.a":1,"_\\u0073ervice.b":2,"c":"\\u0001"}'
    )

    assert.deepStrictEqual(stripReserved(metadata), StoredJson.of({ c: "\u0001" }))
  })

  it("does not read metadata that has no reserved key", () => {
    const metadata = StoredJson.fromText<JsonObject>('{"not read"}')

    assert.strictEqual(stripReserved(metadata), metadata)
  })

  it.prop("leaves what callers gave as it is", [CallerMetadata, ReadableJson], ([metadata, value]) => {
    const given = StoredJson.of(metadata)

    assert.strictEqual(stripReserved(given), given)
    assert.deepStrictEqual(stripReserved(StoredJson.of({ ...metadata, "_service.added": value })), given)
  })
})
