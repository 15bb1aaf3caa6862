import { assert, describe, it } from "@effect/vitest"
import { html, trusted } from "../src/Html.ts"
import { renderMarkdown } from "../src/Markdown.ts"
import type { Page } from "../src/Page.ts"
import { resultsMax, search, sectionsOf } from "../src/Search.ts"

const pageOf = (path: string, text: string): Page => {
  const { headings, html: body } = renderMarkdown(text, () => undefined)
  return { path, title: headings[0]?.text ?? "", kind: "Guide", headings, body }
}

const sections = [
  pageOf("/a", "# Webhooks\nSigned.\n## Replay many\nA job & `<b>`.\n## Receive it\nReplay protection."),
  pageOf("/b", "# Replay\nWhat it is.")
].flatMap(sectionsOf)

const pathsOf = (query: string) => search(sections, query).map(({ path }) => path)

describe("a search", () => {
  it("finds a page first by a keyword, which must be the whole word", () => {
    const guide = { ...pageOf("/go", "# Clients\nGenerated."), keywords: ["go", "java"] }
    const found = (query: string) =>
      search([...sections, ...sectionsOf(pageOf("/x", "# Go on\nGoing.")), ...sectionsOf(guide)], query).map(
        ({ path }) => path
      )

    assert.deepStrictEqual(found("go"), ["/go", "/x"])
    assert.deepStrictEqual(found("ja"), [])
  })

  it("finds a guide by its title before an operation by its own", () => {
    const operation = { ...pageOf("/api", "# Webhooks test"), kind: "Integration API" }

    assert.deepStrictEqual(
      search([operation, pageOf("/a", "# Webhooks")].flatMap(sectionsOf), "webhooks").map(({ path }) => path),
      ["/a", "/api"]
    )
  })

  it("finds titles before headings before text, each at its anchor", () => {
    assert.deepStrictEqual(pathsOf("replay"), ["/b", "/a#replay-many", "/a#receive-it"])
  })

  it("finds what has all words, in any order and case", () => {
    assert.deepStrictEqual(pathsOf("JOB many"), ["/a#replay-many"])
    assert.deepStrictEqual(pathsOf("job nothing"), [])
  })

  it.each(["", "   ", ".*", "(", "\\", "[a-"])("takes %j for no more than it is", (query) => {
    assert.deepStrictEqual(pathsOf(query), [])
  })

  it.each(["python", "hmac.new", "TypeScript", "typescript const", "cell", "corner"])(
    "finds %s in code, its language, and tables",
    (query) => {
      const text =
        "# Page\n```python\nhmac.new(key)\n```\n\n```ts\nconst a = 1\n```\n\n| corner |\n|---|\n| `cell` |\n"

      assert.lengthOf(search(sectionsOf(pageOf("/c", text)), query), 1)
    }
  )

  it("marks what it found in escaped text", () => {
    const [result] = search(sections, "<b>")

    assert.strictEqual(result?.excerpt.text, "A job &amp; <mark>&lt;b&gt;</mark> .")
  })

  it("gives the best ones of many", () => {
    const many = Array.from({ length: resultsMax + 5 }, (_, index) =>
      sectionsOf({ ...pageOf(`/${index}`, "# Same"), body: trusted(html`<h1>Same</h1>`.text) })
    ).flat()

    assert.lengthOf(search(many, "same"), resultsMax)
  })
})
