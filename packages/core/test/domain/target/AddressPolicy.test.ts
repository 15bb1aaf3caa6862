import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { addressAllowed } from "../../../src/domain/target/AddressPolicy.ts"
import * as TargetPolicy from "../../../src/domain/target/TargetPolicy.ts"
import { anyIpv4, dotted, forbiddenIpv4, forbiddenIpv4Networks } from "./Addresses.ts"

const policyOf = (setting: string) => Result.getOrThrow(TargetPolicy.parse(setting))

describe("addressAllowed", () => {
  it.each([...forbiddenIpv4Networks, "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"])(
    "denies %s from its first address to its last",
    (text) => {
      const network = IpNetwork.fromStringUnsafe(text)
      const ends = [IpNetwork.firstAddress(network), IpNetwork.lastAddress(network)]

      const verdicts = ends.map((address) =>
        addressAllowed(NetAddress.formatIp(address), TargetPolicy.strict)
      )

      assert.deepStrictEqual(verdicts, [false, false])
    }
  )

  it.each([
    ["loopback", "::1"],
    ["unspecified", "::"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["unique local", "fd00:ec2::254"],
    ["link local", "fe80::1"],
    ["scoped", "fe80::1%eth0"],
    ["multicast", "ff02::1"],
    ["discard only", "100::1"],
    ["local NAT64", "64:ff9b:1::808:808"],
    ["6to4 of a public address", "2002:808:808::1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["translated metadata service", "64:ff9b::a9fe:a9fe"],
    ["metadata service of Azure", "168.63.129.16"],
    ["a name", "example.com"],
    ["an octal spelling", "010.0.0.1"],
    ["nothing", ""]
  ])("denies %s", (_, address) => {
    assert.isFalse(addressAllowed(address, TargetPolicy.strict))
  })

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "172.15.255.255",
    "172.32.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8"
  ])("allows %s", (address) => {
    assert.isTrue(addressAllowed(address, TargetPolicy.strict))
  })

  it.prop("judges a mapped or translated address like the one it carries", [anyIpv4], ([octets]) => {
    const judged = addressAllowed(dotted(octets), TargetPolicy.strict)

    assert.strictEqual(addressAllowed(`::ffff:${dotted(octets)}`, TargetPolicy.strict), judged)
    assert.strictEqual(addressAllowed(`64:ff9b::${dotted(octets)}`, TargetPolicy.strict), judged)
  })

  const segments = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))).check(
    Schema.isBetweenLength(7, 7)
  )
  // Below 65:: there are those that carry IPv4 addresses.
  const outsidePublic = Arbitrary.schema(
    Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 0x65, maximum: 0x1fff })),
      Schema.Int.check(Schema.isBetween({ minimum: 0x4000, maximum: 0xffff }))
    ])
  )

  it.prop("denies all of IPv6 outside 2000::/3", [outsidePublic, segments], ([first, rest]) => {
    const address = [first, ...rest].map((segment) => segment.toString(16)).join(":")

    assert.isFalse(addressAllowed(address, TargetPolicy.strict))
  })

  it.prop("allows forbidden addresses in the operator's networks only", [forbiddenIpv4], ([octets]) => {
    const address = dotted(octets)

    assert.isTrue(addressAllowed(address, policyOf(`${address}/32`)))
    assert.isTrue(addressAllowed(`::ffff:${address}`, policyOf(address)))
    assert.isFalse(addressAllowed(address, policyOf("8.8.8.8/32,2001:db8::/32,::/0")))
  })

  it("denies the machine's own addresses, however written, unless they are allowed", () => {
    const own = ["8.8.4.4", "2606:4700::1", "fe80::1%eth0"]

    const [strict, open] = ["", "8.8.4.4"].map((setting) =>
      TargetPolicy.withOwnAddresses(policyOf(setting), own)
    )

    assert.isDefined(strict)
    assert.isDefined(open)
    assert.deepStrictEqual(
      ["8.8.4.4", "::ffff:8.8.4.4", "2606:4700:0::1", "8.8.8.8"].map((address) =>
        addressAllowed(address, strict)
      ),
      [false, false, false, true]
    )
    assert.isTrue(addressAllowed("8.8.4.4", open))
  })
})
