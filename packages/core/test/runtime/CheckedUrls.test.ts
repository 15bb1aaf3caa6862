import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { strict } from "../../src/domain/target/TargetPolicy.ts"
import { CheckedUrls } from "../../src/runtime/CheckedUrls.ts"

const url = "https://HOOKS.example.com:443/a%20b?key=1"

describe("checked URLs", () => {
  it("tell where a URL leads, in normal form", () => {
    const checked = new CheckedUrls(strict).of(url)

    assert.deepStrictEqual(Result.getOrThrow(checked), {
      href: "https://hooks.example.com/a%20b?key=1",
      origin: "https://hooks.example.com",
      path: "/a%20b?key=1",
      host: "hooks.example.com"
    })
  })

  it("are judged once for each URL", () => {
    const urls = new CheckedUrls(strict)

    assert.strictEqual(urls.of(url), urls.of(url))
  })

  it("are not remembered of URLs that may not be called, whose texts have no bounds", () => {
    const urls = new CheckedUrls(strict)
    const refused = `https://example.com/${"a".repeat(100_000)}`

    const [first, second] = [urls.of(refused), urls.of(refused)]

    assert.isTrue(Result.isFailure(first))
    assert.notStrictEqual(first, second)
  })
})
