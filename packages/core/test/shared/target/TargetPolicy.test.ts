import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as TargetPolicy from "../../../src/shared/target/TargetPolicy.ts"

const parsed = (setting: string) => Result.getOrThrow(TargetPolicy.parse(setting))

describe("TargetPolicy.parse", () => {
  it("reads networks, addresses and hosts", () => {
    const { networks, hosts } = parsed(" 127.0.0.0/8, ::1 ,localhost,Hooks.Internal:*,build.internal:8443,")

    assert.deepStrictEqual(networks.map(String), ["127.0.0.0/8", "::1/128"])
    assert.deepStrictEqual(hosts, [
      { name: "localhost", port: null },
      { name: "hooks.internal", port: null },
      { name: "build.internal", port: 8443 }
    ])
  })

  it("reads nothing as nothing", () => {
    assert.deepStrictEqual(parsed(""), TargetPolicy.strict)
  })

  it.each([
    ["127.0.0.1/8", '"127.0.0.1/8" is not a network, an address or a host: address has non-zero host bits'],
    [
      "::1/129",
      '"::1/129" is not a network, an address or a host: prefix length must be an integer from 0 through 128'
    ],
    [
      "hooks:99999",
      '"hooks:99999" is not a network, an address or a host: port must be an integer from 0 through 65535'
    ],
    ["a b", '"a b" is not a network, an address or a host: invalid domain name'],
    [
      "1.2.3",
      '"1.2.3" is not a network, an address or a host: the last domain name label must not be numeric'
    ]
  ])("names the wrong entry of localhost,%s", (entry, message) => {
    const result = TargetPolicy.parse(`localhost,${entry}`)

    assert.strictEqual(Result.getOrThrow(Result.flip(result)).message, message)
  })
})

describe("isAllowedHost", () => {
  const policy = parsed("localhost,build.internal:8443,hooks.internal:443,127.0.0.1:8080,[::1]:80")
  const isAllowed = (url: string) => TargetPolicy.isAllowedHost(policy, new URL(url))

  it("compares whole names, in any case and with or without the dot of the root", () => {
    assert.isTrue(isAllowed("http://LOCALHOST.:9999/"))
    assert.isFalse(isAllowed("http://x.localhost/"))
    assert.isFalse(isAllowed("http://localhost.example.com/"))
  })

  it("compares ports, the scheme's own included", () => {
    assert.isTrue(isAllowed("http://build.internal:8443/"))
    assert.isFalse(isAllowed("http://build.internal/"))
    assert.isTrue(isAllowed("https://hooks.internal/"))
    assert.isFalse(isAllowed("http://hooks.internal/"))
  })

  it("takes an address with a port as a host", () => {
    assert.isTrue(isAllowed("http://127.1:8080/"))
    assert.isFalse(isAllowed("http://127.1:8081/"))
    assert.isTrue(isAllowed("http://[0::1]/"))
  })
})
