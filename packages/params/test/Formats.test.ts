import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@runhook/core/shared/json/Json"
import { fullLimits } from "../src/CompiledSchema.ts"
import { compile } from "../src/SchemaDocument.ts"

const isValid = (format: string, value: Json): boolean =>
  compile({ format })?.(value, fullLimits)?.length === 0

const examples: {
  readonly [format: string]: { readonly good: ReadonlyArray<Json>; readonly bad: ReadonlyArray<Json> }
} = {
  date: { good: ["2024-02-29"], bad: ["2023-02-29", "2024-2-9", "2024-02-29\n"] },
  time: { good: ["10:00:00Z", "23:59:60Z", "10:00:00.123+02:00"], bad: ["10:00:00", "25:00:00Z"] },
  "date-time": {
    good: ["2024-02-29T10:00:00Z", "2024-02-29t23:59:59.999999999999999z"],
    bad: ["2024-02-29", "2024-02-30T10:00:00Z", "2024-02-29 10:00:00Z", "2024-02-29T10:00:00+01"]
  },
  duration: {
    good: ["P1Y2M3DT4H5M6S", "PT1S", "P3W", "P1Y"],
    bad: ["P", "PT", "P1YT", "P1W2D", "1D", "P1S", "P1D\n", "P1Y2D", "PT1H2S"]
  },
  email: {
    good: ["a.b@example.com", '"a b"@[127.0.0.1]', "a@[IPv6:::1]"],
    bad: ["a", "a@", "a b@example.com"]
  },
  hostname: {
    good: ["example.com", "a-b.example", "localhost"],
    bad: ["-a.com", "a..b", "a.example.", `${"a".repeat(64)}.com`, `${"a.".repeat(127)}com`, "a_b"]
  },
  ipv4: { good: ["127.0.0.1"], bad: ["256.1.1.1", "1.2.3"] },
  ipv6: { good: ["::1", "2001:db8::1"], bad: ["1::2::3", "::g"] },
  uri: {
    good: ["https://example.com/a?b#c", "urn:a:b", "http://[::ffff:1.2.3.4]:80/"],
    bad: ["/a", "https://a b", "http://example.com:abc/", "http://a@b@c/", "http:/[::1]", "http://é/"]
  },
  "uri-reference": { good: ["/a", "#b", "", "a:b"], bad: ["\\a", "a b", '/a"b', "//a:b/", "1:b"] },
  iri: { good: ["http://ƒøø.ßår/?∂éœ"], bad: ["/é", "http://é\n"] },
  "iri-reference": { good: ["/é", "âππ"], bad: ["\\é", "#ƒräg\\mênt"] },
  "uri-template": { good: ["{a.b}", "/x{?a,b*,c:3}", "a'b"], bad: ["{a..b}", "{a", "a b", "{a:0}"] },
  uuid: {
    good: ["018f4d0c-1111-7abc-8def-0123456789AB"],
    bad: [
      "018f4d0c",
      "018f4d0c11117abc8def0123456789ab",
      "urn:uuid:018f4d0c-1111-7abc-8def-0123456789ab",
      "{018f4d0c-1111-7abc-8def-0123456789ab}"
    ]
  },
  "json-pointer": { good: ["", "/a~1b"], bad: ["a", "/a~2"] },
  regex: { good: ["^a+$", "(?=a)"], bad: ["[", "\\a"] },
  byte: { good: ["", "YWI="], bad: ["YWI", "!\nYWI="] },
  int32: { good: [2 ** 31 - 1, -(2 ** 31)], bad: [2 ** 31, 1.5] },
  int64: { good: [2 ** 40], bad: [1.5] },
  password: { good: ["anything"], bad: [] }
}

describe("Formats", () => {
  for (const [format, { good, bad }] of Object.entries(examples)) {
    it(`asserts ${format}`, () => {
      assert.deepStrictEqual(
        good.filter((value) => !isValid(format, value)),
        []
      )
      assert.deepStrictEqual(
        bad.filter((value) => isValid(format, value)),
        []
      )
    })

    it(`decides on long texts for ${format}`, () => {
      const pieces = ["a", "1", "a.", "a-", "-", "/", ":", "%41", "{a}", "a@", "=", " "]

      const decided = pieces.map((piece) => isValid(format, `${piece.repeat(20_000)}\n!`))

      assert.lengthOf(decided, pieces.length)
    })
  }

  it("leaves values of other types alone", () => {
    assert.isTrue(isValid("email", 1))
    assert.isTrue(isValid("int32", "text"))
  })
})
