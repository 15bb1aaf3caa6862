import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"
import { withTls } from "../../src/settings/DatabaseTls.ts"

const none = { sslmode: undefined, sslrootcert: undefined, sslcert: undefined, sslkey: undefined }

describe("libpq's variables for TLS", () => {
  it.each([
    ["postgres://a:b@c/d", none, "postgres://a:b@c/d"],
    ["postgres://a:b@c/d", { ...none, sslmode: "require" }, "postgres://a:b@c/d?sslmode=require"],
    [
      "postgres://a:b@c/d?sslmode=disable",
      { ...none, sslmode: "require" },
      "postgres://a:b@c/d?sslmode=disable"
    ],
    [
      "postgres://a:b%23@c/d?application_name=x",
      { ...none, sslmode: "verify-full", sslrootcert: "/etc/a b.crt" },
      "postgres://a:b%23@c/d?application_name=x&sslmode=verify-full&sslrootcert=%2Fetc%2Fa+b.crt"
    ]
  ])("count where %s does not say it", (url, given, expected) => {
    assert.strictEqual(Redacted.value(withTls(Redacted.make(url), given)), expected)
  })
})
