import { assert, describe, it } from "@effect/vitest"
import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import { addressOf, networkOf } from "../../src/pipeline/CallerAddress.ts"

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

describe("addresses that were read before", () => {
  it("are found again when more came than are remembered", () => {
    const of = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`

    for (let number = 0; number < 25_000; number++) addressOf(requestFrom(of(number)), 0)

    assert.strictEqual(addressOf(requestFrom(of(7)), 0), of(7))
    assert.strictEqual(networkOf(requestFrom(of(24_999)), 0), of(24_999))
  })
})
