import { assert, describe, it } from "vitest"
import { nameAt, placeAt } from "../../src/authentication/CookiePlace.ts"

describe("the cookies of a service", () => {
  it.each([
    ["https://runhook.example.com", "__Host-runhook", "/", true],
    ["https://example.com/runhook", "__Secure-runhook", "/runhook", true],
    ["http://127.0.0.1:8700", "runhook", "/", false],
    ["http://127.0.0.1:8700/a/b", "runhook", "/a/b", false]
  ])("at %s are called %s and are sent below %s", (baseUrl, name, path, secure) => {
    assert.strictEqual(nameAt(baseUrl, "runhook"), name)
    assert.deepStrictEqual(placeAt(baseUrl), { path, httpOnly: true, secure })
  })
})
