import { assert, describe, it } from "@effect/vitest"
import { guidesOf, shelved } from "../../src/guides/Guide.ts"

const sources = [
  {
    file: "docs/operating/README.md",
    text: "# Operating\n[one](settings.md) [two](../webhooks.md#replay-many)"
  },
  {
    file: "docs/operating/settings.md",
    text: "# Settings\n[code](../../apps/server/src/main.ts) [adr](../adr/1.md)"
  },
  { file: "docs/webhooks.md", text: "# Webhooks\n[here](#replay) [there](https://example.com/)" },
  { file: "docs/new/README.md", text: "no title" }
]
const guides = guidesOf(sources)
const hrefs = (index: number) =>
  [...(guides[index]?.html.text ?? "").matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

describe("guides", () => {
  it("lead to each other by their pages", () => {
    assert.deepStrictEqual(hrefs(0), ["/docs/guides/operating/settings", "/docs/guides/webhooks#replay-many"])
  })

  it("lead to no file that is not served", () => {
    assert.deepStrictEqual(hrefs(1), [])
  })

  it("lead to their own parts, and to other sites", () => {
    assert.deepStrictEqual(hrefs(2), ["#replay", "https://example.com/"])
  })

  it("are named after their first heading, or their file", () => {
    assert.deepStrictEqual(
      guides.map(({ title }) => title),
      ["Operating", "Settings", "Webhooks", "docs/new/README.md"]
    )
  })

  it("stand on one shelf each, whoever wrote them", () => {
    assert.deepStrictEqual(
      shelved(guides).map((shelf) => [shelf.title, shelf.guides.map(({ file }) => file)]),
      [
        ["Integrate", ["docs/webhooks.md"]],
        ["Operate", ["docs/operating/README.md", "docs/operating/settings.md"]],
        ["More", ["docs/new/README.md"]]
      ]
    )
  })
})
