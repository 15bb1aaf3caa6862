import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { UrlOrigin } from "../../../src/deliveries/claim/UrlOrigin.ts"

const isOrigin = Schema.is(UrlOrigin)

describe("an origin", () => {
  it.each(["https://hooks.example.com", "http://127.0.0.1:8080", "https://[2606:4700::1]:8443"])(
    "may be %s",
    (text) => assert.isTrue(isOrigin(text))
  )

  it.each([
    "",
    "hooks.example.com",
    "https://hooks.example.com/",
    "https://hooks.example.com:443",
    "https://Hooks.example.com",
    "https://me@hooks.example.com",
    "ftp://hooks.example.com",
    "null",
    `https://${"x".repeat(3_000)}.example`
  ])("is not %s", (text) => assert.isFalse(isOrigin(text)))
})
