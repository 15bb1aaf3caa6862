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

  it("goes on from where it was looked through, and says when not all that came since was", () => {
    const looked = { count: 9, newest: "2026-11-03", oldest: "2026-11-01" }
    const before = { ...shown("c"), waiting: items("d"), looked }
    const since = (oldest: string) => ({
      data: items("f", "e"),
      next_cursor: "more",
      looked: { count: 3, newest: "2026-11-09", oldest }
    })

    const near = mergeRows(before, since("2026-11-03"), idOf)
    assert.deepStrictEqual([idsOf(near.rows), idsOf(near.waiting), near.next], ["c", "fed", "after"])
    assert.isFalse(near.isGap)
    assert.deepStrictEqual(near.looked, { ...looked, newest: "2026-11-09" })

    const far = mergeRows(before, since("2026-11-04"), idOf)
    assert.isTrue(far.isGap)
    assert.deepStrictEqual(far.looked, looked)
    assert.isFalse(mergeRows(before, { ...since("2026-11-04"), next_cursor: null }, idOf).isGap)

    const none = mergeRows({ ...before, rows: [], waiting: [] }, since("2026-11-04"), idOf)
    assert.deepStrictEqual([idsOf(none.rows), none.next, none.isGap], ["fe", "after", true])
  })
})
