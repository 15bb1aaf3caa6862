import { assert, describe, it } from "vitest"
import { addressOf, filtersIn } from "../../src/data/useFilters.ts"

const names = ["q", "kind"] as const

describe("the filters in an address", () => {
  it("are those of the list, with something in them", () => {
    assert.deepStrictEqual(filtersIn("?kind=key&q=&span=7d", names), { kind: "key" })
  })

  it("make the same address, in whatever order they were set", () => {
    const typedFirst = { q: "a b", kind: "key" }
    const chosenFirst = { kind: "key", q: "a b" }

    assert.strictEqual(addressOf("/audit", names, typedFirst), "/integrations/audit?q=a+b&kind=key")
    assert.strictEqual(addressOf("/audit", names, chosenFirst), addressOf("/audit", names, typedFirst))
  })

  it("are none in the address of the list alone", () => {
    assert.strictEqual(addressOf("/audit", names, { q: "" }), "/integrations/audit")
  })
})
