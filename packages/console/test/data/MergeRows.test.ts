import { assert, describe, it } from "vitest"
import { mergeRows, type Rows } from "../../src/data/MergeRows.ts"

interface Item {
  readonly id: string
  readonly state: string
}

const items = (...ids: ReadonlyArray<string>): ReadonlyArray<Item> => ids.map((id) => ({ id, state: "old" }))
const shown = (...ids: ReadonlyArray<string>): Rows<Item> => ({
  rows: items(...ids),
  waiting: [],
  next: "after",
  isGap: false
})
const idsOf = (rows: ReadonlyArray<Item>) => rows.map(({ id }) => id).join("")
const idOf = ({ id }: Item) => id

describe("a list that is fetched again", () => {
  it("changes rows in place, and lets new ones wait", () => {
    const page = [...items("f", "e"), { id: "d", state: "new" }, ...items("c")]

    const { isGap, next, rows, waiting } = mergeRows(
      shown("d", "c", "b"),
      { data: page, next_cursor: "c" },
      idOf
    )

    assert.strictEqual(idsOf(rows), "dcb")
    assert.strictEqual(rows[0]?.state, "new")
    assert.strictEqual(idsOf(waiting), "fe")
    assert.strictEqual(next, "after")
    assert.isFalse(isGap)
  })

  it("shows all of it where nothing was shown", () => {
    const { next, rows, waiting } = mergeRows(shown(), { data: items("b", "a"), next_cursor: null }, idOf)

    assert.strictEqual(idsOf(rows), "ba")
    assert.strictEqual(idsOf(waiting), "")
    assert.isNull(next)
  })

  it("knows of a gap when nothing on the screen was met", () => {
    const { isGap, waiting } = mergeRows(shown("b", "a"), { data: items("z", "y"), next_cursor: "y" }, idOf)

    assert.strictEqual(idsOf(waiting), "zy")
    assert.isTrue(isGap)
  })

  it("does not take a row between others for a new one", () => {
    const { rows, waiting } = mergeRows(
      shown("d", "b"),
      { data: items("d", "c", "b"), next_cursor: null },
      idOf
    )

    assert.strictEqual(idsOf(rows), "db")
    assert.strictEqual(idsOf(waiting), "")
  })
})
