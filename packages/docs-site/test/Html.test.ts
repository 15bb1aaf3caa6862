import { assert, describe, it } from "@effect/vitest"
import { html, plainText } from "../src/Html.ts"

describe("html", () => {
  it("escapes every value, in text and in attributes, and no HTML", () => {
    const bold = html`<b>${"<i>"}</b>`

    assert.strictEqual(
      html`<a title="${`"'&`}">${bold}${["<", bold, 1, undefined]}</a>`.text,
      '<a title="&quot;&#39;&amp;"><b>&lt;i&gt;</b>&lt;<b>&lt;i&gt;</b>1</a>'
    )
  })

  it("is read back as what a reader sees", () => {
    assert.strictEqual(
      plainText(
        html`<p>${"a < b & 'c'"}</p>
          <p>d</p>`
      ),
      "a < b & 'c' d"
    )
  })
})
