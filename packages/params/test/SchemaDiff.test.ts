import { assert, describe, it } from "vitest"
import { diffOf, folded } from "../src/SchemaDiff.ts"

const marks = { same: " ", gone: "-", new: "+" }
const shown = (before: object, after: object) =>
  folded(diffOf(JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after)))).map((line) =>
    line === null ? "…" : `${marks[line.kind]}${line.text}`
  )

describe("the difference of two schemas", () => {
  it("is nothing for equal ones", () => {
    assert.deepStrictEqual(shown({ a: 1 }, { a: 1 }), ["…"])
  })

  it("names what is gone and what is new, in place", () => {
    assert.deepStrictEqual(shown({ type: "object", a: 1 }, { type: "object", a: 2, b: 3 }), [
      " {",
      ` "type": "object",`.replace(" ", "   "),
      `-  "a": 1`,
      `+  "a": 2,`,
      `+  "b": 3`,
      " }"
    ])
  })

  it("leaves out what is far from a change", () => {
    const list = Array.from({ length: 40 }, (_, index) => index)

    const lines = shown({ list, last: 1 }, { list, last: 2 })

    assert.strictEqual(lines[0], "…")
    assert.isBelow(lines.length, 12)
    assert.include(lines, `-  "last": 1`)
  })

  it("has all of both where one is too long to be compared line by line", () => {
    const list = Array.from({ length: 2_000 }, (_, index) => index)
    const [before, after] = [{ list }, { list: [-1, ...list] }]
    const lines = diffOf(before, after)

    const textWithout = (kind: string) => lines.flatMap((line) => (line.kind === kind ? [] : [line.text]))

    assert.deepStrictEqual(textWithout("new"), JSON.stringify(before, null, 2).split("\n"))
    assert.deepStrictEqual(textWithout("gone"), JSON.stringify(after, null, 2).split("\n"))
  })
})
