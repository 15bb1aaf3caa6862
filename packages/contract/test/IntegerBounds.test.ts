import { assert, describe, it } from "@effect/vitest"
import { partOf } from "../src/openapi/Document.ts"
import { type ApiName, apiNames, documents, type Place, placesOf } from "./Documents.ts"

/** What a column of four bytes takes. */
const [integerMin, integerMax] = [-(2 ** 31), 2 ** 31 - 1]

/** Kept in eight bytes, or, as an epoch, compared before it comes to a store. */
const wide = new Set(["epoch", "size_bytes", "started_offset_ms"])

/** Every integer that a request of the API may hold, wherever its schema stands. */
const integersOf = (name: ApiName): ReadonlyArray<Place> => {
  const { components, paths } = documents[name]
  const schemas = partOf(partOf(components)["schemas"])
  const seen = new Set<string>()
  const within = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<Place> =>
    placesOf(value, path).flatMap((place) => {
      const reference = place.part["$ref"]
      if (typeof reference !== "string") {
        return place.part["type"] === "integer" && !place.path.includes("example") ? [place] : []
      }
      const component = reference.split("/").at(-1) ?? ""
      if (seen.has(component)) return []
      seen.add(component)
      return within(schemas[component], [component])
    })
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { parameters, requestBody } = partOf(operation)
      return within([parameters, requestBody], [method, path])
    })
  )
}

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
