import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { type JsonObject, ReadableJson, ReadableObject } from "../../src/shared/json/Json.ts"
import { canonicalJson } from "../../src/shared/json/JsonText.ts"
import { fingerprint } from "../../src/signing/Fingerprint.ts"

const reversed = (value: JsonObject): JsonObject => Object.fromEntries(Object.entries(value).toReversed())

describe("fingerprint", () => {
  it("is the SHA-256 of the canonical JSON in hex", () => {
    assert.strictEqual(fingerprint({}), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
  })

  it.prop("ignores the order of keys and white space", [ReadableObject], ([body]) => {
    const sent: JsonObject = JSON.parse(JSON.stringify(reversed(body), null, 2))

    assert.strictEqual(fingerprint(sent), fingerprint(body))
  })

  it.prop("differs for values that differ", [ReadableJson, ReadableJson], ([one, other]) => {
    assert.strictEqual(fingerprint(one) === fingerprint(other), canonicalJson(one) === canonicalJson(other))
  })

  it.prop(
    "notices any change of a value",
    [ReadableObject, Schema.String, ReadableJson],
    ([body, key, value]) => {
      const changed = { ...body, [key]: [value] }

      assert.notStrictEqual(fingerprint({ ...body, [key]: value }), fingerprint(changed))
    }
  )
})
