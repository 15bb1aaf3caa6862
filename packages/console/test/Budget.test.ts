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
  readonly isEntry?: true
  readonly src?: string
  readonly imports?: ReadonlyArray<string>
  readonly css?: ReadonlyArray<string>
}

const chunks = (): { readonly [name: string]: Chunk } =>
  JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"))

const weight = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + statSync(join(dist, `${file}.gz`)).size, 0)

const everything = (extension: string): ReadonlyArray<string> =>
  readdirSync(join(dist, "assets"))
    .filter((file) => file.endsWith(extension))
    .map((file) => `assets/${file}`)

/** A chunk and all that it needs before it runs. */
const needs = (name: string, found = new Set<string>()): ReadonlySet<string> => {
  const chunk = chunks()[name]
  if (chunk === undefined || found.has(chunk.file)) return found
  found.add(chunk.file)
  for (const each of chunk.imports ?? []) needs(each, found)
  return found
}

describe("the page", () => {
  it("weighs at most 45 kB of script with its first view", () => {
    const first = new Set([...needs("index.html"), ...needs("src/views/overview/Overview.tsx")])

    assert.isAtMost(weight(first), 45_000)
  })

  it("weighs at most 100 kB of script in all", () => {
    assert.isAtMost(weight(everything(".js")), 100_000)
  })

  it("weighs at most 9 kB of styles in all", () => {
    assert.isAtMost(weight(everything(".css")), 9_000)
  })

  it("loads the other views when somebody goes to one", () => {
    const frame = needs("index.html")
    const views = new Set(Object.values(chunks()).map(({ file }) => file))

    assert.includeMembers(
      [...views].filter((file) => !frame.has(file)).map((file) => /([a-z]+)-/.exec(file)?.[1]),
      ["overview", "views"]
    )
  })
})
