import { assert, describe, it } from "@effect/vitest"
import { countWords, readHtml } from "../../src/demo/PageText.ts"

describe("readHtml", () => {
  it("reads the title, the text and the links that lead somewhere", () => {
    const page = readHtml(
      `<!doctype html><html><head><title>Tea &amp; cake</title></head>
       <body><h1>Menu</h1><p>One<b>two</b> three</p><a href="/a?b=1&amp;c=2">A</a> <a class=x href='b.html'>B</a><a href="#c">C</a></body>`
    )

    assert.strictEqual(page.title, "Tea & cake")
    assert.strictEqual(page.text, "Menu Onetwo three A BC")
    assert.deepStrictEqual(page.links, ["/a?b=1&c=2", "b.html"])
  })

  it("passes over comments, scripts and styles", () => {
    const page = readHtml(`a<!-- <a href="x"> --><script>if (1 < 2) "</p>"</script><STYLE>b{}</STYLE>c`)

    assert.strictEqual(page.text, "a c")
    assert.deepStrictEqual(page.links, [])
  })

  it.each(["<", "<a", "<!--", "<script>", "<title>", "<a href=", "&#x110000;", "<a <a <a"])(
    "survives a page that ends with %s",
    (end) => {
      const page = readHtml(`before ${end}`)

      assert.isTrue(page.text.startsWith("before"))
    }
  )

  it.each(["<", "<a ", "<!--", "<script>", "<a href=", "&#"])("takes one pass over a page of %s", (part) => {
    const page = readHtml(part.repeat(200_000))

    assert.isAtMost(page.links.length, 1)
  })
})

describe("countWords", () => {
  it("counts what has letters or digits", () => {
    assert.strictEqual(countWords("Ein Wort – 2 слова, и 語 …"), 6)
  })
})
