import { assert, describe, it } from "@effect/vitest"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SortedSet } from "../../src/tables/SortedSet.ts"

const setOf = (items: Iterable<number>): SortedSet<number> => {
  const set = new SortedSet(Order.Number)
  for (const item of items) set.add(item)
  return set
}

/** The numbers below 5,000, in an order that is neither theirs nor its reverse. */
const shuffled = Array.from({ length: 5_000 }, (_, place) => (place * 1_009) % 5_000)

describe("SortedSet", () => {
  it("keeps thousands of items in order, whatever order they come in", () => {
    const set = setOf(shuffled)

    assert.strictEqual(set.size, 5_000)
    assert.deepStrictEqual([...set], shuffled.toSorted(Order.Number))
  })

  it("is walked from any place", () => {
    const set = setOf(shuffled)

    for (const start of [0, 1, 511, 512, 513, 2_500, 4_999, 5_000]) {
      const rest = [...set.from((item) => item < start)]

      assert.deepStrictEqual(
        rest,
        Array.from({ length: 5_000 - start }, (_, place) => start + place)
      )
      assert.strictEqual(
        set.first((item) => item < start),
        rest[0]
      )
    }
  })

  it("forgets what is deleted until nothing is left", () => {
    const set = setOf(shuffled)

    for (const item of shuffled.slice(10)) set.delete(item)
    assert.deepStrictEqual([...set], shuffled.slice(0, 10).toSorted(Order.Number))
    for (const item of shuffled) set.delete(item)
    assert.strictEqual(set.size, 0)
    assert.isUndefined(set.first(() => false))
  })

  it.prop(
    "holds what a set of JavaScript holds",
    {
      changes: Schema.Array(
        Schema.Struct({ item: Schema.Literals([1, 2, 3, 4, 5]), isAdded: Schema.Boolean })
      )
    },
    ({ changes }) => {
      const expected = new Set<number>()
      const set = new SortedSet<number>(Order.Number)
      for (const { isAdded, item } of changes) {
        if (!isAdded) {
          set.delete(item)
          expected.delete(item)
        } else if (!expected.has(item)) {
          set.add(item)
          expected.add(item)
        }
      }

      assert.deepStrictEqual([...set], [...expected].toSorted(Order.Number))
      assert.strictEqual(set.size, expected.size)
    }
  )
})
