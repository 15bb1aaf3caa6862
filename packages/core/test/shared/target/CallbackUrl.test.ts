import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { addressAllowed } from "../../../src/shared/target/AddressPolicy.ts"
import { badPorts, checkAddress, checkUrl } from "../../../src/shared/target/CallbackUrl.ts"
import * as TargetPolicy from "../../../src/shared/target/TargetPolicy.ts"
import { anyIpv4, dotted, forbiddenIpv4, spellingsOf } from "./Addresses.ts"

const policyOf = (setting: string) => Result.getOrThrow(TargetPolicy.parse(setting))
const strict = TargetPolicy.strict

/** The broken rule, or the URL as it will be called. */
const judge = (text: string, policy = strict): string =>
  Result.match(checkUrl(text, policy), { onFailure: ({ rule }) => rule, onSuccess: ({ href }) => href })

const messageOf = (text: string): string => Result.getOrThrow(Result.flip(checkUrl(text, strict))).message

const guide = readFileSync(new URL("../../../../../docs/webhooks.md", import.meta.url), "utf8")

describe("checkUrl", () => {
  it("refuses the ports that the guide to callbacks names, on every host", () => {
    const [, listed = ""] = /^Ports of other protocols.*: ([\d, ]+)\.$/m.exec(guide) ?? []

    assert.deepStrictEqual(listed.split(", ").map(Number), [...badPorts])
  })

  it.each([
    ["https://example.com/hooks?x=1", "https://example.com/hooks?x=1"],
    ["http://example.com:8080", "http://example.com:8080/"],
    ["HTTPS://EXAMPLE.com./a", "https://example.com./a"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://my_hooks.example.com/", "https://my_hooks.example.com/"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
    ["https://example.com/a b\u0000c", "https://example.com/a%20b%00c"]
  ])("accepts %j", (text, href) => {
    assert.strictEqual(judge(text), href)
  })

  it.each([
    [
      "form",
      [
        "",
        "/hooks",
        "https://example.com/\ud800",
        "example.com/hooks",
        "http://",
        "http://exa mple.com",
        "http://1.2.3.4.5",
        "http://[fe80::1%25eth0]/"
      ]
    ],
    ["scheme", ["ftp://example.com", "file:///etc/passwd", "javascript:alert(1)", "ws://example.com"]],
    ["user_info", ["https://user@example.com", "https://:password@example.com", "https://a:b@127.0.0.1/"]],
    ["port", ["http://example.com:22", "http://example.com:6667", "http://example.com:0"]],
    [
      "host",
      [
        "http://localhost/",
        "http://localhost./",
        "http://LOCALHOST:8080/",
        "http://api.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://metadata.google.internal./",
        "http://intranet/",
        "http://-a.example.com/",
        `http://${"x".repeat(64)}.com/`
      ]
    ],
    [
      "label",
      [
        "http://a..b/",
        "http://.example.com/",
        "http://example.com../",
        "http://localhost../",
        "http://metadata.google.internal../",
        "http://127.0.0.1../",
        "http://example。。com/",
        "http://./",
        "http://../"
      ]
    ],
    [
      "address",
      ["http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest/meta-data", "http://0/"]
    ]
  ])("refuses what breaks the rule of %s", (rule, texts) => {
    assert.deepStrictEqual(
      texts.map((text) => judge(text)),
      texts.map(() => rule)
    )
  })

  it("counts the characters of the URL as given and as called", () => {
    const longest = "https://example.com/".padEnd(2_048, "x")

    assert.strictEqual(judge(longest), longest)
    assert.strictEqual(judge(`${longest}x`), "length")
    assert.strictEqual(judge(`https://example.com/${"ä".repeat(400)}`), "length")
  })

  it("refuses every bad port", () => {
    const accepted = [...badPorts].filter((port) => judge(`https://example.com:${port}/`) !== "port")

    assert.deepStrictEqual(accepted, [])
  })

  it("names the rule of a bad form, and no more than policy for a bad place", () => {
    assert.strictEqual(messageOf("ftp://example.com"), "The URL must use https or http")
    assert.strictEqual(
      messageOf("https://me@example.com"),
      "The URL must not contain a user name or password"
    )
    assert.strictEqual(messageOf("http://a..b/"), "The URL must not have an empty label in its host name")
    assert.strictEqual(messageOf("http://10.0.0.1/"), "The URL is blocked by policy")
    assert.strictEqual(messageOf("http://localhost/"), "The URL is blocked by policy")
  })

  it("lets the operator allow hosts and networks, and never a bad port", () => {
    const policy = policyOf("127.0.0.0/8,localhost,hooks.internal:8443")

    assert.strictEqual(judge("http://0x7f.1:3000/", policy), "http://127.0.0.1:3000/")
    assert.strictEqual(judge("http://localhost:3000/", policy), "http://localhost:3000/")
    assert.strictEqual(judge("http://hooks.internal:8443/", policy), "http://hooks.internal:8443/")
    assert.strictEqual(judge("http://hooks.internal/", policy), "host")
    assert.strictEqual(judge("http://10.0.0.1/", policy), "address")
    assert.strictEqual(judge("http://localhost:22/", policy), "port")
  })

  it.prop("refuses every spelling of a forbidden IPv4 address", [forbiddenIpv4], ([octets]) => {
    for (const host of spellingsOf(octets)) {
      assert.strictEqual(judge(`http://${host}/`), "address", host)
    }
  })

  it.prop("judges every spelling of an IPv4 address alike", [anyIpv4], ([octets]) => {
    const isAllowed = addressAllowed(dotted(octets), strict)

    for (const host of spellingsOf(octets)) {
      assert.strictEqual(judge(`http://${host}/`) !== "address", isAllowed, host)
    }
  })
})

describe("checkAddress", () => {
  const url = new URL("https://hooks.example.com/")
  const isAllowed = (address: string, setting: string) =>
    Result.isSuccess(checkAddress({ url, address }, policyOf(setting)))

  it("judges what a name resolved to", () => {
    assert.isTrue(isAllowed("8.8.8.8", ""))
    assert.isFalse(isAllowed("10.0.0.7", ""))
    assert.isFalse(isAllowed("::ffff:10.0.0.7", ""))
    assert.isTrue(isAllowed("10.0.0.7", "10.0.0.0/8"))
  })

  it("lets a host the operator named resolve to anything", () => {
    assert.isTrue(isAllowed("10.0.0.7", "hooks.example.com"))
    assert.isFalse(isAllowed("10.0.0.7", "hooks.example.com:8443"))
  })
})
