import { assert, describe, it } from "@effect/vitest"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestSchema from "effect/testing/TestSchema"
import { Cursor } from "../../src/shared/Cursor.ts"
import { ExecutionId } from "../../src/shared/Ids.ts"

const decode = Schema.decodeOption(Cursor)
const encode = Schema.encodeSync(Cursor)

const id = ExecutionId.make("0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f")
const list = "0f9a1b2c"
const place = { after: id, list }
const placeOf = (any: ExecutionId) => ({ after: Schema.decodeSync(ExecutionId)(any), list })

describe("Cursor", () => {
  it("is base64url", () => {
    assert.match(encode(place), /^[A-Za-z0-9_-]{63}$/)
  })

  it.prop("leads back to every id", [ExecutionId], ([any]) => {
    assert.deepStrictEqual(decode(encode(placeOf(any))), Option.some(placeOf(any)))
  })

  it.prop(
    "is the only text that leads to its id",
    [ExecutionId, Schema.Int, Schema.String],
    ([any, at, text]) => {
      const cursor = encode(placeOf(any))
      const position = Math.abs(at) % cursor.length
      const changed = cursor.slice(0, position) + text + cursor.slice(position + 1)

      assert.deepStrictEqual(
        Option.map(decode(changed), encode),
        Option.map(decode(changed), () => changed)
      )
    }
  )

  it.prop("is nothing that callers make up", [Schema.String], ([text]) => {
    assert.deepStrictEqual(decode(text), Option.none())
    assert.deepStrictEqual(decode(Base64Url.encode(text)), Option.none())
  })

  it.each([
    ["the id itself", id],
    ["another version", Base64Url.encode(`2.${list}.${id}`)],
    ["no list", Base64Url.encode(`1.${id}`)],
    ["padding", `${encode(place)}=`],
    ["a line break", `${encode(place)}\n`],
    ["an upper-case id", Base64Url.encode(`1.${list}.${id.toUpperCase()}`)],
    ["no id", Base64Url.encode(`1.${list}.${"x".repeat(36)}`)],
    ["nothing", ""]
  ])("refuses %s", (_, text) => {
    assert.deepStrictEqual(decode(text), Option.none())
  })

  it("says what it expects", async () => {
    const decoding = new TestSchema.Asserts(Cursor).decoding()

    await decoding.fail("page-2", "Expected a next_cursor of an earlier response")
  })
})
