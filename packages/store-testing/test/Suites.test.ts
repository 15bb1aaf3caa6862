import { readdir, readFile } from "node:fs/promises"
import { basename } from "node:path"
import { assert, describe, it } from "vitest"

const source = new URL("../src/", import.meta.url)

/** The files of the suites of stores, by their names. Those of other ports are run one by one. */
const suiteFiles = async () => {
  const paths = await readdir(source, { recursive: true })
  return new Map(
    paths
      .filter((path) => /.Suite\.ts$/.test(path) && !/^(?:signals|storage)\//.test(path))
      .map((path) => [basename(path, ".ts"), `./${path}`])
  )
}

const all = await readFile(new URL("Suites.ts", source), "utf8")

describe("suites", () => {
  it("run every suite that there is", async () => {
    const files = await suiteFiles()

    const imported = new Map(
      Array.from(all.matchAll(/^import \* as (\w+) from "(.*)"$/gm), ([, name = "", path = ""]) => [
        name,
        path
      ])
    )
    const run = Array.from(all.matchAll(/^ {2}(\w+)\.suite,?$/gm), ([, name]) => name)

    assert.deepStrictEqual(imported, files)
    assert.sameMembers(run, [...files.keys()])
  })
})
