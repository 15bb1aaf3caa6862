import { assert, describe, it } from "@effect/vitest"
import { type ApiName, apiNames, placesInRequests } from "./Documents.ts"

/** What a column of four bytes takes. */
const [integerMin, integerMax] = [-(2 ** 31), 2 ** 31 - 1]

/** Kept in eight bytes, or, as an epoch, compared before it comes to a store. */
const wide = new Set(["epoch", "size_bytes", "started_offset_ms"])

/** Every integer that a request of the API may hold, wherever its schema stands. */
const integersOf = (name: ApiName) => placesInRequests(name).filter(({ part }) => part["type"] === "integer")

describe.each(apiNames)("the integers that requests of the %s API may hold", (name) => {
  it("are no larger than the columns that take them", () => {
    const outside = integersOf(name).filter(({ part, path }) => {
      const [low, high] = path.some((key) => wide.has(key))
        ? [0, Number.MAX_SAFE_INTEGER]
        : [integerMin, integerMax]
      return !(Number(part["minimum"]) >= low && Number(part["maximum"]) <= high)
    })

    assert.deepStrictEqual(outside, [])
    assert.isNotEmpty(integersOf(name))
  })
})
