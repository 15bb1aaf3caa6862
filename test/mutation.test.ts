import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { misfit, patternOf } from "../scripts/mutate/Fault.ts"
import { faults } from "../scripts/mutate/Faults.ts"

const root = join(import.meta.dirname, "..")

const read = (file: string): string | undefined => {
  try {
    return readFileSync(join(root, file), "utf8")
  } catch {
    return undefined
  }
}

describe("the faults of npm run mutate", () => {
  it.each(faults)("stand once in the product, and name a test that there is: $name", (fault) => {
    assert.isUndefined(misfit(fault, read))
  })

  it("have names of their own", () => {
    assert.strictEqual(new Set(faults.map(({ name }) => name)).size, faults.length)
  })

  const fault = {
    name: "one",
    idea: "it is wrong",
    file: "Product.ts",
    before: "right",
    after: "wrong",
    test: { file: "Product.test.ts", title: "is right" }
  }
  const tree = (files: Readonly<Record<string, string>>) => (file: string) => files[file]

  it.each([
    { what: "fits", files: { "Product.ts": "all right", "Product.test.ts": "is right" }, found: undefined },
    { what: "has no file", files: {}, found: "there is no Product.ts" },
    {
      what: "stands twice",
      files: { "Product.ts": "right, right" },
      found: '"right" stands 2 times in Product.ts, not once'
    },
    { what: "has no test file", files: { "Product.ts": "right" }, found: "there is no Product.test.ts" },
    {
      what: "has no test",
      files: { "Product.ts": "right", "Product.test.ts": "is wrong" },
      found: 'Product.test.ts has no test "is right"'
    }
  ])("say when one $what", ({ files, found }) => {
    assert.strictEqual(misfit(fault, tree({ ...files })), found)
  })

  it("name their test so that no other is meant", () => {
    const pattern = new RegExp(patternOf({ file: "a", title: "costs $1 (or more)", ending: ": start" }))

    assert.match("suite costs $1 (or more): start", pattern)
    assert.notMatch("suite costs $1 (or more): start again", pattern)
    assert.notMatch("suite costs 11 or more: start", pattern)
  })
})
