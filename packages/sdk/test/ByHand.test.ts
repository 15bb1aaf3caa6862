/** What is written by hand beside the generated calls says no path of the API. */
import { globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const home = new URL("../../", import.meta.url)

const files = globSync(
  ["sdk/src/requests/**/*.ts", "sdk-python/src/runhook/{_asyncio,_call}/{client,files,waits}.py"],
  {
    cwd: home
  }
).filter((path) => !path.endsWith(".generated.ts"))

const pathsIn = (code: string): ReadonlyArray<string> =>
  Array.from(
    code.replaceAll(/\/\*[^]*?\*\/|"""[^]*?"""/g, "").matchAll(/["'`]\/[a-z][\w/{}$-]*/g),
    ([path]) => path
  )

describe("the calls by hand", () => {
  it.each(files)("%s says no path", (path) => {
    assert.deepStrictEqual(pathsIn(readFileSync(new URL(path, home), "utf8")), [])
  })

  it("are the waits, and what a single request does not do", () => {
    assert.includeMembers(files, [
      "sdk/src/requests/ExecutionWaits.ts",
      "sdk/src/requests/Files.ts",
      "sdk-python/src/runhook/_asyncio/waits.py"
    ])
  })

  it.each(["get(`/executions/${id}`)", `get("/me")`, `get(types.Me, f"/me")`])(
    "see the path in %s",
    (code) => {
      assert.lengthOf(pathsIn(code), 1)
    }
  )
})
