/** What the page weighs, gzipped, as its build left it. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"

const folder = join(import.meta.dirname, "..")
const dist = join(folder, "dist")

beforeAll(() => {
  execFileSync(process.execPath, [join(folder, "build.mjs")], { stdio: "inherit" })
})

interface Chunk {
  readonly file: string
  readonly name?: string
  readonly imports?: ReadonlyArray<string>
}

const chunks = (): { readonly [name: string]: Chunk } =>
  JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"))

const weight = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0)

const everything = (extension: string): ReadonlyArray<string> =>
  readdirSync(join(dist, "assets"))
    .filter((file) => file.endsWith(extension))
    .map((file) => `assets/${file}`)

/** The file of a chunk, and all that it needs before it runs. */
const needs = (name: string): ReadonlySet<string> => {
  const known = chunks()
  const found = new Set<string>()
  const add = (key: string | undefined) => {
    const chunk = key === undefined ? undefined : known[key]
    if (chunk === undefined || found.has(chunk.file)) return
    found.add(chunk.file)
    for (const each of chunk.imports ?? []) add(each)
  }
  add(Object.keys(known).find((key) => known[key]?.name === name))
  assert.isNotEmpty(found, `there is no file of the name ${name}`)
  return found
}

describe("the page", () => {
  it("weighs at most 45 kB of script with its first view", () => {
    assert.isAtMost(weight(needs("index")), 45_000)
  })

  it("weighs at most 100 kB of script in all", () => {
    assert.isAtMost(weight(everything(".js")), 100_000)
  })

  it("weighs at most 9 kB of styles in all", () => {
    assert.isAtMost(weight(everything(".css")), 9_000)
  })

  it("loads the other views when somebody goes to one", () => {
    const html = readFileSync(join(dist, "index.html"), "utf8")
    const begun = [...html.matchAll(/assets\/[^"]+\.js/g)].map(([file]) => file)

    assert.deepStrictEqual(begun, [...needs("index")])
    assert.notIncludeMembers(begun, [...needs("Views")])
  })
})
