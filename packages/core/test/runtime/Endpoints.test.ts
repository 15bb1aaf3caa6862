import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { strict } from "../../src/domain/target/TargetPolicy.ts"
import { Endpoints } from "../../src/runtime/Endpoints.ts"

const url = "https://HOOKS.example.com:443/a%20b?key=1"

describe("endpoints", () => {
  it("tell where a URL leads, in normal form", () => {
    const endpoint = new Endpoints(strict).of(url)

    assert.deepStrictEqual(Result.getOrThrow(endpoint), {
      href: "https://hooks.example.com/a%20b?key=1",
      origin: "https://hooks.example.com",
      path: "/a%20b?key=1",
      host: "hooks.example.com"
    })
  })

  it("are judged once for each URL", () => {
    const endpoints = new Endpoints(strict)

    assert.strictEqual(endpoints.of(url), endpoints.of(url))
  })

  it("are not remembered of URLs that may not be called, whose texts have no bounds", () => {
    const endpoints = new Endpoints(strict)
    const refused = `https://example.com/${"a".repeat(100_000)}`

    const [first, second] = [endpoints.of(refused), endpoints.of(refused)]

    assert.isTrue(Result.isFailure(first))
    assert.notStrictEqual(first, second)
  })
})
