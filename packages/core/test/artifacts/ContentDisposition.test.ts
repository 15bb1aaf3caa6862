import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { FileName } from "../../src/artifacts/Artifact.ts"
import { contentDisposition } from "../../src/artifacts/ContentDisposition.ts"

/** The name a browser would save under: `filename*` when there is one. */
const nameIn = (header: string): string => {
  const extended = /filename\*=UTF-8''([^;]*)$/.exec(header)?.[1]
  const plain = /filename="([^"]*)"/.exec(header)?.[1]
  return extended === undefined ? String(plain) : decodeURIComponent(extended)
}

describe("contentDisposition", () => {
  it.each([
    ["report.pdf", `attachment; filename="report.pdf"`],
    ["my report; final, (2).pdf", `attachment; filename="my report; final, (2).pdf"`],
    [
      "Übersicht €.pdf",
      `attachment; filename="_bersicht _.pdf"; filename*=UTF-8''%C3%9Cbersicht%20%E2%82%AC.pdf`
    ],
    ["👩‍🚀.png", `attachment; filename="___.png"; filename*=UTF-8''%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80.png`],
    [`say "hi".txt`, `attachment; filename="say _hi_.txt"; filename*=UTF-8''say%20%22hi%22.txt`],
    ["50%20off.txt", `attachment; filename="50_20off.txt"; filename*=UTF-8''50%2520off.txt`],
    ["é'(*).txt", `attachment; filename="_'(*).txt"; filename*=UTF-8''%C3%A9%27%28%2A%29.txt`]
  ])("writes %s", (fileName, expected) => {
    assert.strictEqual(contentDisposition("attachment", fileName), expected)
  })

  it("says when a browser may show the file", () => {
    assert.strictEqual(contentDisposition("inline", "a.png"), `inline; filename="a.png"`)
  })

  it.prop("gives back every file name an artifact can have", [FileName], ([fileName]) => {
    assert.strictEqual(nameIn(contentDisposition("attachment", fileName)), fileName)
  })

  it.prop("is a valid header for any text at all", [Schema.String], ([text]) => {
    assert.match(
      contentDisposition("attachment", text),
      /^attachment; filename="[\x20\x21\x23-\x5B\x5D-\x7E]*"(; filename\*=UTF-8''([\w!.~-]|%[0-9A-F]{2})*)?$/
    )
  })

  it("survives half of a surrogate pair and control characters", () => {
    assert.strictEqual(
      contentDisposition("attachment", "a\uD800\r\nb"),
      `attachment; filename="a___b"; filename*=UTF-8''a%EF%BF%BD%0D%0Ab`
    )
  })
})
