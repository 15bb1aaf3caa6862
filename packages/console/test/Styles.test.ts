/** All sheets of the page come as one, so a view must not style what another one has under the same name. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const source = join(import.meta.dirname, "../src")

/** The class that each selector of a sheet begins with, and whether the sheet says what it is by itself. */
const beginnings = (file: string) => {
  // What `:where` says of many has no weight: any rule may say it anew.
  const text = readFileSync(join(source, file), "utf8").replaceAll(/\/\*[^]*?\*\/|:where\([^{]*\)/g, "")
  return [...text.matchAll(/([^{};]+)\{/g)]
    .flatMap(([, selectors = ""]) => selectors.split(","))
    .flatMap((selector) => {
      const name = /^\s*\.([\w-]+)/.exec(selector)?.[1]
      return name === undefined ? [] : [{ name, isAlone: selector.trim() === `.${name}` }]
    })
}

const sheets = (folder: string) =>
  globSync(`${folder}/**/*.css`, { cwd: source }).map((file) => ({ file, found: beginnings(file) }))

describe("the sheets", () => {
  it("of two views name nothing alike", () => {
    const owners = new Map<string, Set<string>>()
    const shared = new Set(sheets("styles").flatMap(({ found }) => found.map(({ name }) => name)))
    for (const { file, found } of sheets("views")) {
      for (const { name } of found) {
        if (!shared.has(name)) owners.set(name, (owners.get(name) ?? new Set()).add(file))
      }
    }

    assert.deepStrictEqual(
      [...owners].filter(([, files]) => files.size > 1).map(([name, files]) => [name, [...files]]),
      []
    )
  })

  it("of views do not say anew what a part of the page is", () => {
    const parts = new Set(
      sheets("styles").flatMap(({ found }) => found.flatMap(({ isAlone, name }) => (isAlone ? [name] : [])))
    )
    const said = sheets("views").flatMap(({ file, found }) =>
      found.filter(({ isAlone, name }) => isAlone && parts.has(name)).map(({ name }) => [name, file])
    )

    assert.deepStrictEqual(said, [])
  })
})
