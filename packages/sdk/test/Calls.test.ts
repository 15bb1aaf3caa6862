/** The tables of calls in both READMEs have every call, and no other. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { Runhook } from "../src/Runhook.ts"
import { python, pythonEnvironment, pythonHome } from "./python/Python.ts"

/** The calls below an object, with the way to them. */
const callsOf = (value: object, path = ""): ReadonlyArray<string> =>
  Object.entries(value).flatMap(([name, each]) => {
    if (typeof each === "function") return [path + name]
    return typeof each === "object" && each !== null ? callsOf(each, `${path}${name}.`) : []
  })

const callsOfPython = `
import inspect
from runhook import Runhook
from runhook._blocking.noun import Noun

def calls(noun, path=""):
    for name, each in inspect.getmembers(noun):
        if name.startswith("_") or path + name in ("close", "with_options"):
            continue
        if isinstance(each, Noun):
            calls(each, f"{path}{name}.")
        elif callable(each):
            print(path + name)

calls(Runhook(base_url="http://localhost", api_key="k", proxy=""))
`

/** The names in the first column of the table of calls. A name without its noun is of the noun before it. */
const rowsIn = (readme: string, calls: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [, table = ""] = /\n## Calls\n([^]*?)\n## /.exec(readme) ?? []
  const rows = table.split("\n").filter((line) => line.startsWith("| `"))
  return rows.flatMap((row) => {
    let noun: ReadonlyArray<string> = []
    const names = (row.split(" | ")[0] ?? "").matchAll(/`([\w.]+)[^`]*`/g)
    return Array.from(names, ([, name = ""]) => {
      const known = noun.map((_, at) => [...noun.slice(0, noun.length - at), name].join("."))
      const call = known.find((each) => calls.includes(each)) ?? name
      noun = call.split(".").slice(0, -1)
      return call
    })
  })
}

const readmeOf = (folder: string) =>
  readFileSync(new URL(`../../${folder}/README.md`, import.meta.url), "utf8")

describe("the README", () => {
  it("has a row for every call of TypeScript, and no other", () => {
    const calls = callsOf(new Runhook({ baseUrl: "http://localhost", apiKey: "k" }))

    const rows = rowsIn(readmeOf("sdk"), calls)

    assert.sameMembers([...new Set(rows)], [...calls])
    assert.include(calls, "schedules.trigger")
  })

  it.runIf(python !== undefined)("has a row for every call of Python, and no other", () => {
    const said = execFileSync(python ?? "", ["-c", callsOfPython], {
      cwd: pythonHome,
      env: pythonEnvironment,
      encoding: "utf8"
    })
    const calls = said.trim().split("\n")

    const rows = rowsIn(readmeOf("sdk-python"), calls)

    assert.sameMembers([...new Set(rows)], calls)
    assert.include(calls, "webhooks.endpoints.rotate")
  })
})
