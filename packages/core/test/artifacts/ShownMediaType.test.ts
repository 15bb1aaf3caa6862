import { assert, describe, it } from "@effect/vitest"
import { shownAs } from "@runhook/core/artifacts/ShownMediaType"

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe("what a browser may show of a file", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"],
    ["\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"],
    ["GIF89a\x01\0", "image/gif"],
    ["RIFF\x24\0\0\0WEBPVP8 ", "image/webp"],
    ["\0\0\0\x1cftypavif", "image/avif"],
    ["\x1aE\xdf\xa3\x01\0", "video/webm"],
    ["\0\0\0\x18ftypmp42", "video/mp4"]
  ])("is told by its first bytes: %j is %s", (beginning, type) => {
    assert.strictEqual(shownAs(bytes(beginning)), type)
  })

  it.each(["<svg xmlns", "<html>", "%PDF-1.7", "", "\x89PN", "RIFF\x24\0\0\0WAVEfmt ", "<svg>GIF89a"])(
    "is nothing of what begins with %j",
    (beginning) => {
      assert.isNull(shownAs(bytes(beginning)))
    }
  )
})
