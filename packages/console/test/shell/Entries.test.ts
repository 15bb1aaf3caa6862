import { assert, describe, it } from "vitest"
import { elsewhere, entriesOf, isSearched, matching, views } from "../../src/shell/palette/Entries.ts"

const known = entriesOf({
  tasks: [{ id: "01a20521-0000-7000-8000-000000000001", name: "Carrier invoices", slug: "invoices" }],
  agents: [{ id: "01a20521-0000-7000-8000-000000000002", name: "Portal EU 1" }],
  keys: [{ id: "01a20521-0000-7000-8000-000000000003", name: "Northquay ERP", prefix: "aBc1" }],
  receivers: [{ origin: "https://hooks.example.com" }],
  endpoints: [
    {
      id: "01a20528-0000-7000-8000-00000000005e",
      kind: "push",
      url: "https://desk.example.com/all",
      description: "Service desk"
    },
    { id: "01a20528-0000-7000-8000-00000000005f", kind: "poll", url: null, description: "" }
  ],
  schedules: [{ id: "01a20528-0000-7000-8000-00000000005c", name: "Bills of the night" }]
})

const titles = (text: string) => matching([...views, ...known], text).map(({ title }) => title)

describe("the palette", () => {
  it("finds by part of a name, in any case, the beginning of names and words first", () => {
    assert.deepStrictEqual(titles("quay"), ["Northquay ERP"])
    assert.deepStrictEqual(titles("portal eu"), ["Portal EU 1"])
    assert.deepStrictEqual(titles("bills"), ["Bills of the night"])
    assert.deepStrictEqual(titles("desk"), ["Service desk"])
    assert.deepStrictEqual(titles("fetched"), ["Fetched events"])
    assert.deepStrictEqual(titles("invoices carrier"), ["Carrier invoices"])
    assert.deepStrictEqual(titles("example.com"), ["https://hooks.example.com"])
    assert.deepStrictEqual(titles("de").slice(0, 2), ["Deliveries", "Dead letters"].toSorted().toReversed())
    assert.deepStrictEqual(titles("nobody of that name"), [])
  })

  it("finds by slug, by the beginning of an id, and by the part of a key that is no secret", () => {
    assert.deepStrictEqual(titles("invoices").slice(0, 1), ["Carrier invoices"])
    assert.deepStrictEqual(titles("01a20521-0000-7000-8000-000000000002"), ["Portal EU 1"])
    assert.deepStrictEqual(titles("rhlive_aBc1_this-is-secret"), ["Northquay ERP"])
    assert.deepStrictEqual(titles("rhlive_aBc2_this-is-secret"), [])
  })

  it("never puts a secret into an address, nor sends it to a search", () => {
    assert.isFalse(isSearched("rhlive_aBc1_this-is-secret"))
    assert.deepStrictEqual(elsewhere("rhlive_aBc1_this-is-secret"), [])
  })

  it("leads elsewhere with what is no name", () => {
    assert.deepStrictEqual(
      elsewhere("req_1").map(({ href }) => href),
      ["/integrations/audit?q=req_1"]
    )
    assert.deepStrictEqual(
      elsewhere("execution.failed").map(({ href }) => href),
      ["/integrations/deliveries?q=execution.failed", "/integrations/executions?contains=execution.failed"]
    )
  })
})
