import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { costs, machines } from "../src/model/Costs.ts"
import { limitRows, limits, sizeOf, sizeRows } from "../src/model/HowFar.ts"
import { tableOf } from "../src/Report.ts"

const page = readFileSync(new URL("../../docs/operating/how-far.md", import.meta.url), "utf8")

/** A table without its title. */
const bodyOf = (rows: Parameters<typeof tableOf>[1]): string =>
  tableOf("", rows).split("\n").slice(3).join("\n")

describe("the page on how far the service goes", () => {
  it("has the tables that the model computes", () => {
    for (const table of [limitRows(costs, machines), sizeRows(costs, machines)])
      assert.include(page, `\n\n${bodyOf(table)}\n\n`)
  })
})

describe("the model of how far the service goes", () => {
  it("names the limits in the order in which they are reached", () => {
    const reached = limits(costs, machines).map(({ perSecond }) => perSecond)

    assert.deepStrictEqual(
      reached,
      reached.toSorted((one, other) => one - other)
    )
  })

  it("reaches the limit of PostgreSQL's cores where they are used up", () => {
    const { perSecond } = limits(costs, machines).find(
      ({ what }) => what === "the cores of one PostgreSQL"
    ) ?? {
      perSecond: Number.NaN
    }

    const [before, after] = [
      sizeOf(perSecond * 0.99, costs, machines),
      sizeOf(perSecond * 1.01, costs, machines)
    ]

    assert.deepStrictEqual([before.coordinatorCores, after.coordinatorCores > 0], [0, true])
  })

  it("takes twice the machines for twice the work", () => {
    const [one, two] = [sizeOf(50_000, costs, machines), sizeOf(100_000, costs, machines)]

    assert.approximately(two.nodeCores / one.nodeCores, 2, 1e-9)
    assert.approximately(two.tb / one.tb, 2, 1e-9)
  })
})
