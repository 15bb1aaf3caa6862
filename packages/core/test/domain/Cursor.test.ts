import { assert, describe, it } from "@effect/vitest"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TestSchema from "effect/testing/TestSchema"
import { Cursor } from "../../src/domain/Cursor.ts"
import { ExecutionId } from "../../src/domain/Ids.ts"

const ExecutionCursor = Cursor(ExecutionId)
const decode = Schema.decodeOption(ExecutionCursor)
const encode = Schema.encodeSync(ExecutionCursor)

const id = ExecutionId.make("0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f")
const lowerCaseId = Schema.decodeSync(ExecutionId)

describe("Cursor", () => {
  it("is base64url", () => {
    assert.match(encode(id), /^[A-Za-z0-9_-]{51}$/)
  })

  it.prop("leads back to every id", [ExecutionId], ([any]) => {
    const lastId = lowerCaseId(any)

    assert.deepStrictEqual(decode(encode(lastId)), Option.some(lastId))
  })

  it.prop(
    "is the only text that leads to its id",
    [ExecutionId, Schema.Int, Schema.String],
    ([any, at, text]) => {
      const cursor = encode(lowerCaseId(any))
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
    ["another version", Base64Url.encode(`2.${id}`)],
    ["padding", `${encode(id)}=`],
    ["a line break", `${encode(id)}\n`],
    ["an upper-case id", Base64Url.encode(`1.${id.toUpperCase()}`)],
    ["no id", Base64Url.encode(`1.${"x".repeat(36)}`)],
    ["nothing", ""]
  ])("refuses %s", (_, text) => {
    assert.deepStrictEqual(decode(text), Option.none())
  })

  it("says what it expects", async () => {
    const decoding = new TestSchema.Asserts(ExecutionCursor).decoding()

    await decoding.fail("page-2", "Expected a next_cursor of an earlier response")
  })
})
