import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as TestSchema from "effect/testing/TestSchema"
import {
  describeSelector,
  selectVersion,
  TagName,
  VersionName,
  VersionNumber
} from "../../src/catalog/VersionSelector.ts"
import { TaskVersionId } from "../../src/shared/Ids.ts"

const id = TaskVersionId.make("0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f")

describe("VersionName", () => {
  const decoding = new TestSchema.Asserts(VersionName).decoding()

  it("is current, a tag or an id", async () => {
    await decoding.succeed("current", { _tag: "Current" })
    await decoding.succeed("tag:v2.1_beta-3", { _tag: "ByTag", name: "v2.1_beta-3" })
    await decoding.succeed(id, { _tag: "ById", id })
    await decoding.succeed(id.toUpperCase(), { _tag: "ById", id })
  })

  it.each(["", "latest", "Current", "tag:", "tag:a b", `tag:${"x".repeat(65)}`, "tag:ä", "3", `${id}0`])(
    "refuses %j",
    (text) => decoding.fail(text, 'Expected "current", "tag:<name>" or a version UUID')
  )

  it.prop("reads every tag name back", [TagName], ([name]) => {
    const text = Schema.encodeSync(VersionName)({ _tag: "ByTag", name })

    assert.deepStrictEqual(Schema.decodeSync(VersionName)(text), { _tag: "ByTag", name })
  })
})

describe("selectVersion", () => {
  const v = 3
  const version = { _tag: "ByTag", name: "stable" } as const

  it("prefers the version's id, then its number, then its name, and else takes the current one", () => {
    assert.deepStrictEqual(selectVersion({ taskVersionId: id, v, version }), { _tag: "ById", id })
    assert.deepStrictEqual(selectVersion({ v, version }), { _tag: "ByNumber", number: v })
    assert.deepStrictEqual(selectVersion({ version }), version)
    assert.deepStrictEqual(selectVersion({}), { _tag: "Current" })
  })

  it.prop(
    "never looks at the name when a number is given",
    [VersionNumber, VersionName],
    ([number, name]) => {
      assert.deepStrictEqual(selectVersion({ v: number, version: name }), { _tag: "ByNumber", number })
    }
  )
})

describe("describeSelector", () => {
  it("puts a selector in words", () => {
    assert.deepStrictEqual(
      [
        describeSelector({ _tag: "Current" }),
        describeSelector({ _tag: "ByTag", name: "stable" }),
        describeSelector({ _tag: "ByNumber", number: 3 }),
        describeSelector({ _tag: "ById", id })
      ],
      ["the current version", "tag stable", "version 3", `version ${id}`]
    )
  })
})
