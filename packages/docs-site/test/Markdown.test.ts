import { assert, describe, it } from "@effect/vitest"
import { renderInline, renderMarkdown } from "../src/Markdown.ts"

const render = (text: string) =>
  renderMarkdown(text, (href) => (href === "./gone.md" ? undefined : href)).html.text

describe("markdown", () => {
  it("shows HTML as text, in a line and as a block", () => {
    const block = render("<script>alert(1)</script>")
    const line = render("a <img src=x onerror=alert(1)> b")

    assert.notMatch(block + line, /<(?:script|img)/)
    assert.include(block, "&lt;script&gt;")
  })

  it.each(["`<b>`", "```sh\n<b>\n```", "[<b>](/x)", "| <b> |\n|---|\n| <b> |", "# <b>", "![<b>](/x)"])(
    "escapes what %j has in it",
    (text) => {
      assert.notInclude(render(text), "<b>")
    }
  )

  it("leaves the words of a link that leads nowhere", () => {
    const rendered = render("See [`Engine.ts`](./gone.md).")

    assert.include(rendered, "<span><code>Engine.ts</code></span>")
    assert.notInclude(rendered, "<a ")
  })

  it("names headings as GitHub does, each of them once", () => {
    const { headings } = renderMarkdown(
      "# A `code` title\n## Start it\n## Start it\n## What's new, 2?",
      () => undefined
    )

    assert.deepStrictEqual(
      headings.map(({ id }) => id),
      ["a-code-title", "start-it", "start-it-1", "whats-new-2"]
    )
  })

  it("gives a single paragraph without its frame, for the middle of a sentence", () => {
    assert.strictEqual(renderInline("Is `true`.").text.trim(), "Is <code>true</code>.")
  })

  it.each(["javascript:alert(1)", "data:text/html,x", "//evil.example"])(
    "of an API leads nowhere by %s",
    (href) => {
      assert.notInclude(renderInline(`[x](${href})`).text, "<a ")
    }
  )
})
