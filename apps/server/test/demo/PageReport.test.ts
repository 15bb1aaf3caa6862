import { assert, describe, it } from "@effect/vitest"
import { renderReport } from "../../src/demo/PageReport.ts"

const page = {
  asked: "http://a.example/",
  url: "http://a.example/",
  status: 200,
  content_type: "text/html",
  bytes: 10,
  truncated: false,
  words: 2,
  sha256: "0".repeat(64),
  duration_ms: 3,
  read: { title: "Title", text: "Two words", links: ["/b"] }
}

describe("renderReport", () => {
  it("shows the figures, the text and the links", () => {
    const report = renderReport(page)

    assert.strictEqual(
      report,
      `Title
=====

Address       http://a.example/
Status        200
Type          text/html
Size          10 bytes
SHA-256       ${"0".repeat(64)}
Fetched in    3 ms
Words         2
Links         1

Text
----
Two words

Links
-----
/b
`
    )
  })

  it("says where a redirect led, and what was cut", () => {
    const report = renderReport({
      ...page,
      url: "http://b.example/",
      truncated: true,
      read: { title: null, text: "word ".repeat(1_000), links: [] }
    })

    assert.include(report, "A page without a title")
    assert.include(report, "Redirected to http://b.example/")
    assert.include(report, "10 bytes, the beginning of more")
    assert.isTrue(report.endsWith("[...]\n"))
    assert.isTrue(report.split("\n").every(({ length }) => length <= 80))
  })
})
