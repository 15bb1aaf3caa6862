import { assert, describe, it } from "vitest"
import { csvOf, jsonOf } from "../../src/data/Export.ts"

describe("an export", () => {
  it("has a column for each member, and nested ones as JSON", () => {
    const rows = [
      { id: "a", attempts: 2, ok: true, params: { deep: [1] } },
      { id: "b", extra: null }
    ]

    assert.strictEqual(
      csvOf(rows),
      ["id,attempts,ok,params,extra", '"a",2,true,"{""deep"":[1]}",', '"b",,,,', ""].join("\r\n")
    )
    assert.deepStrictEqual(JSON.parse(jsonOf(rows)), rows)
  })

  it("has no formula, whatever strangers wrote", () => {
    for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]) {
      assert.strictEqual(csvOf([{ text }]), `text\r\n"'${text}"\r\n`)
    }
    assert.strictEqual(csvOf([{ text: 'a "b", c\nd' }]), 'text\r\n"a ""b"", c\nd"\r\n')
  })
})
