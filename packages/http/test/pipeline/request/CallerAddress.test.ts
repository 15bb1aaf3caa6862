import { assert, describe, it } from "@effect/vitest"
import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import { addressOf, networkOf } from "../../../src/pipeline/request/CallerAddress.ts"

const requestFrom = (remote: string | undefined, forwarded?: string) => ({
  remoteAddress: Option.fromUndefinedOr(remote),
  headers: Headers.fromInput(forwarded === undefined ? {} : { "x-forwarded-for": forwarded })
})

describe("the network of a request", () => {
  it.each([
    { from: requestFrom("192.0.2.1"), trusted: 0, network: "192.0.2.1" },
    { from: requestFrom("::ffff:192.0.2.1"), trusted: 0, network: "192.0.2.1" },
    { from: requestFrom("fe80::1%eth0"), trusted: 0, network: "65152:0:0:0" },
    { from: requestFrom("2001:db8:0:1::5"), trusted: 0, network: "8193:3512:0:1" },
    { from: requestFrom(undefined), trusted: 0, network: "unknown" },
    { from: requestFrom("192.0.2.1", "198.51.100.1"), trusted: 0, network: "192.0.2.1" },
    { from: requestFrom("192.0.2.1", "10.0.0.1, 198.51.100.1"), trusted: 1, network: "198.51.100.1" },
    { from: requestFrom("192.0.2.1", "198.51.100.1, 10.0.0.1"), trusted: 2, network: "198.51.100.1" },
    { from: requestFrom("192.0.2.1", "198.51.100.1"), trusted: 2, network: "192.0.2.1" },
    { from: requestFrom("192.0.2.1", "nobody"), trusted: 1, network: "192.0.2.1" },
    { from: requestFrom("192.0.2.1"), trusted: 1, network: "192.0.2.1" }
  ])("is $network behind $trusted proxies", ({ from, network, trusted }) => {
    assert.strictEqual(networkOf(from, trusted), network)
  })
})

describe("the address of a request", () => {
  it.each([
    { from: requestFrom("192.0.2.1"), trusted: 0, address: "192.0.2.1" },
    { from: requestFrom("::ffff:192.0.2.1"), trusted: 0, address: "192.0.2.1" },
    { from: requestFrom("2001:db8:0:1::5"), trusted: 0, address: "2001:db8:0:1::5" },
    { from: requestFrom("192.0.2.1", "2001:db8::7"), trusted: 1, address: "2001:db8::7" },
    { from: requestFrom("192.0.2.1", "2001:db8::7"), trusted: 0, address: "192.0.2.1" },
    { from: requestFrom(undefined), trusted: 0, address: null },
    {
      from: requestFrom("192.0.2.1", `192.0.2.9${" ".repeat(9)}%${"x".repeat(99)}`),
      trusted: 1,
      address: "192.0.2.1"
    }
  ])("is $address behind $trusted proxies", ({ address, from, trusted }) => {
    assert.strictEqual(addressOf(from, trusted), address)
  })
})

describe("the address in what a trusted proxy wrote", () => {
  const [v4, v6, socket] = ["203.0.113.7", "2001:db8::1", "192.0.2.1"]

  it.each([
    ["203.0.113.7", v4],
    ["203.0.113.7:1111", v4],
    [" 203.0.113.7 ", v4],
    ['"203.0.113.7"', v4],
    ['"203.0.113.7:1111"', v4],
    ["198.51.100.1:99,203.0.113.7:1111", v4],
    ["198.51.100.1 ,\t203.0.113.7", v4],
    ["203.0.113.7,", v4],
    ["203.0.113.7, ,", v4],
    ["::ffff:203.0.113.7", v4],
    ["[::ffff:203.0.113.7]:443", v4],
    ["[::FFFF:CB00:7107]:443", v4],
    ["2001:db8::1", v6],
    ["2001:DB8:0:0:0:0:0:1", v6],
    ["[2001:db8::1]", v6],
    ["[2001:db8::1]:443", v6],
    ['"[2001:db8::1]:443"', v6],
    ["2001:db8::1%eth0", v6],
    ["[2001:db8::1%25eth0]:443", v6],
    ['"198.51.100.1, 203.0.113.7', v4],
    ["unknown", socket],
    ["_hidden", socket],
    ["203.0.113.7, unknown", socket],
    ["203.0.113.7:1111:2222", socket],
    ["[203.0.113.7", socket],
    ["[2001:db8::1]x", socket],
    ["203.0.113", socket],
    ["", socket],
    [" , ", socket]
  ])("of X-Forwarded-For: %s is %s", (forwarded, address) => {
    assert.strictEqual(addressOf(requestFrom(socket, forwarded), 1), address)
  })

  it.each([
    ["for=203.0.113.7", v4],
    ["For=203.0.113.7:1111;proto=https", v4],
    ['proto=https; for = "203.0.113.7:_port" ;by=198.51.100.1', v4],
    ['for="[2001:db8::1]:443"', v6],
    ['FOR="[2001:DB8::1]"', v6],
    ["for=198.51.100.1, for=203.0.113.7", v4],
    ['host="a,b;for=198.51.100.1";for=203.0.113.7', v4],
    ['host="a\\"b";for=203.0.113.7', v4],
    ['for="198.51.100.1, for=203.0.113.7', v4],
    ["for=203.0.113.7, for=unknown", socket],
    ["for=_gazonk", socket],
    ["proto=https", socket],
    ['before="203.0.113.7"', socket],
    ["203.0.113.7", socket]
  ])("of Forwarded: %s is %s", (forwarded, address) => {
    const headers = Headers.fromInput({ forwarded })
    const request = { remoteAddress: Option.some(socket), headers }

    assert.strictEqual(addressOf(request, 1), address)
    assert.strictEqual(addressOf(request, 0), socket)
  })

  it("is that of X-Forwarded-For where both are there", () => {
    const headers = Headers.fromInput({ forwarded: "for=198.51.100.1", "x-forwarded-for": v4 })

    assert.strictEqual(addressOf({ remoteAddress: Option.some(socket), headers }, 1), v4)
  })

  it("is counted from the end", () => {
    const headers = Headers.fromInput({
      "x-forwarded-for": "198.51.100.1, 203.0.113.7:1111, [2001:db8::1]:443"
    })
    const from = (place: number) => addressOf({ remoteAddress: Option.some(socket), headers }, place)

    assert.deepStrictEqual([from(1), from(2)], [v6, v4])
  })
})

describe("addresses that were read before", () => {
  it("are found again when more came than are remembered", () => {
    const of = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`

    for (let number = 0; number < 25_000; number++) addressOf(requestFrom(of(number)), 0)

    assert.strictEqual(addressOf(requestFrom(of(7)), 0), of(7))
    assert.strictEqual(networkOf(requestFrom(of(24_999)), 0), of(24_999))
  })
})
