/** What docs/embedding shows is what this example does. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const fileOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

/** Each piece of code, and the file above it that it is taken from. */
const snippets = [
  ...fileOf("../../../docs/embedding/README.md").matchAll(/^\[`(\w+\.ts)`\][^\n]*\n\n```ts\n(.*?)^```/gms)
].map(([, file = "", code = ""]) => ({ file, code }))

/** The code whatever its indentation, which is less on a page. */
const flat = (code: string): string =>
  code
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim()

describe("docs/embedding", () => {
  it("has no code that is not taken from a file", () => {
    const blocks = fileOf("../../../docs/embedding/README.md").match(/^```ts/gm) ?? []

    assert.isAbove(blocks.length, 0)
    assert.lengthOf(snippets, blocks.length)
  })

  it.each(snippets)("shows what is in $file", ({ code, file }) => {
    assert.include(flat(fileOf(`../src/${file}`)), flat(code))
  })
})
