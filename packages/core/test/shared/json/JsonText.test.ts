import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { type Json, ReadableJson } from "../../../src/shared/json/Json.ts"
import { canonicalJson, isStorable, jsonDepthMax, storableIssue } from "../../../src/shared/json/JsonText.ts"

const reversed = (value: Json): Json => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reversed(item)] as const)
      .toReversed()
  )
}

const nested = (depth: number): Json => (depth === 0 ? null : [nested(depth - 1)])

describe("canonicalJson", () => {
  it("sorts keys by UTF-16 code units and writes no white space", () => {
    const text = canonicalJson({
      "10": 1,
      "9": 2,
      Z: 0,
      b: [true, null, "\u20ac"],
      a: { "\ufb33": 1, "\ud83d\ude00": 2 }
    })

    assert.strictEqual(
      text,
      '{"10":1,"9":2,"Z":0,"a":{"\ud83d\ude00":2,"\ufb33":1},"b":[true,null,"\u20ac"]}'
    )
  })

  it("writes numbers in their shortest form", () => {
    assert.strictEqual(canonicalJson([1e21, 1.0, -0, 0.000001, 1e-7]), "[1e+21,1,0,0.000001,1e-7]")
  })

  it("keeps a key named __proto__", () => {
    assert.strictEqual(canonicalJson(JSON.parse('{"z":1,"__proto__":2}')), '{"__proto__":2,"z":1}')
  })

  it.prop("reads back as the same value", [ReadableJson], ([value]) => {
    assert.deepStrictEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
  })

  it.prop("does not depend on the order of keys", [ReadableJson], ([value]) => {
    assert.strictEqual(canonicalJson(reversed(value)), canonicalJson(value))
  })
})

describe("storableIssue", () => {
  it("names the place of a null character", () => {
    assert.deepStrictEqual(storableIssue({ rows: [{ name: "a\u0000b" }] }), {
      path: ["rows", "0", "name"],
      message: "must not contain the null character (\\u0000)"
    })
  })

  it("finds a null character in a key, without repeating it", () => {
    assert.deepStrictEqual(storableIssue({ outer: { "a\u0000": 1 } }), {
      path: ["outer"],
      message: "must not have a key with the null character (\\u0000)"
    })
  })

  it("refuses half of a surrogate pair", () => {
    assert.strictEqual(storableIssue(["\ud83d"])?.message, "must not contain half of a surrogate pair")
    assert.strictEqual(storableIssue("\ud83d\ude00"), undefined)
  })

  it("refuses nesting past the limit, however deep", () => {
    assert.strictEqual(storableIssue(nested(jsonDepthMax)), undefined)
    assert.strictEqual(
      storableIssue(nested(jsonDepthMax + 1))?.message,
      "must not be nested deeper than 64 levels"
    )
    assert.isDefined(storableIssue(JSON.parse("[".repeat(100_000) + "]".repeat(100_000))))
  })

  it.prop("finds a null character wherever it is", [ReadableJson, Schema.String], ([value, key]) => {
    assert.isDefined(storableIssue([value, { [key]: ["\u0000"] }]))
  })

  it.prop("lets through well-formed text only", [ReadableJson.check(isStorable)], ([value]) => {
    const texts: Array<string> = []
    JSON.stringify(value, (key, item) => {
      texts.push(key, ...(typeof item === "string" ? [item] : []))
      return item
    })

    assert.isTrue(texts.every((text) => text.isWellFormed() && !text.includes("\u0000")))
  })
})
