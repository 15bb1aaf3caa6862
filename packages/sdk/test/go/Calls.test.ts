/** The client for Go has every call of the contract, and the table of its page has every call of the client. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { exported } from "../../generate/go/Names.ts"
import { operations } from "../../generate/Operations.ts"
import { goHome } from "./Go.ts"

const sources = readdirSync(goHome)
  .filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"))
  .map((name) => readFileSync(join(goHome, name), "utf8"))
  .join("\n")

/** The methods of a type and of the nouns below it, with the way to them. */
const callsOf = (type: string, path = ""): ReadonlyArray<string> => {
  const methods = [...sources.matchAll(new RegExp(`^func \\(\\w+ \\*${type}\\) ([A-Z]\\w*)\\(`, "gm"))]
  const [, fields = ""] = new RegExp(`^type ${type} struct \\{\\n([^}]*)\\}`, "m").exec(sources) ?? []
  const nouns = [...fields.matchAll(/^\t([A-Z]\w*) +\*(\w+)$/gm)]
  return [
    ...methods.map(([, name]) => path + name),
    ...nouns.flatMap(([, name, below = ""]) => callsOf(below, `${path}${name}.`))
  ]
}

/** The calls that the table names. A name without its noun is of the noun before it. */
const rowsIn = (readme: string, calls: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [, table = ""] = /\n## Calls\n([^]*?)\n## /.exec(readme) ?? []
  const rows = table.split("\n").filter((line) => line.startsWith("| `"))
  return rows.flatMap((row) => {
    let noun = ""
    const names = (row.split(" | ")[0] ?? "").matchAll(/`([\w.]+)[^`]*`/g)
    return Array.from(names, ([, name = ""]) => {
      const call = calls.includes(name) ? name : noun + name
      noun = call.slice(0, call.lastIndexOf(".") + 1)
      return call
    })
  })
}

const calls = callsOf("Client")

describe("the client for Go", () => {
  it("has every call of the contract", () => {
    const named = operations
      .filter(({ client, kind }) => client === "runhook" && kind !== "stream")
      .map(({ call }) => call.split(".").map(exported).join("."))

    assert.deepStrictEqual(
      named.filter((call) => !calls.includes(call)),
      []
    )
    assert.includeMembers([...calls], ["Files.Open", "Executions.WaitFor", "Request"])
  })

  it("has a row on its page for every call, and no other", () => {
    const rows = rowsIn(readFileSync(join(goHome, "README.md"), "utf8"), calls)

    // A page of a list is said once for all.
    const own = calls.filter((call) => !call.endsWith(".ListPage"))
    assert.sameMembers([...new Set(rows)], own)
  })
})
