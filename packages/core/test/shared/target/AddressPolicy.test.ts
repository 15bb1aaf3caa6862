import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { addressAllowed } from "../../../src/shared/target/AddressPolicy.ts"
import * as TargetPolicy from "../../../src/shared/target/TargetPolicy.ts"
import { anyIpv4, carriersOf, dotted, forbiddenIpv4, forbiddenIpv4Networks } from "./Addresses.ts"

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
    ["NAT64 of a metadata service", "64:ff9b::a9fe:a9fe"],
    ["NAT64 of a public address", "64:ff9b::8.8.8.8"],
    ["ISATAP of a private address", "2606:4700::5efe:10.0.0.1"],
    ["ISATAP of a private address, said to be unique", "2606:4700::200:5efe:10.0.0.1"],
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
    "2606:4700::5efe:8.8.8.8",
    "2606:4700::100:5efe:10.0.0.1"
  ])("allows %s", (address) => {
    assert.isTrue(addressAllowed(address, TargetPolicy.strict))
  })

  it.prop("denies any NAT64 address unless the operator lists its prefix", [anyIpv4], ([octets]) => {
    assert.isFalse(addressAllowed(`64:ff9b::${dotted(octets)}`, TargetPolicy.strict))
    assert.isFalse(addressAllowed(`64:ff9b:1::${dotted(octets)}`, TargetPolicy.strict))
    assert.isFalse(addressAllowed(`64:ff9b:1::${dotted(octets)}`, policyOf("64:ff9b::/96")))
  })

  it.prop("judges an address that carries another like that one", [anyIpv4], ([octets]) => {
    const isAllowed = addressAllowed(dotted(octets), TargetPolicy.strict)

    for (const { address, network } of carriersOf(octets)) {
      assert.strictEqual(addressAllowed(address, policyOf(network)), isAllowed, `${address} of ${network}`)
    }
  })

  it.prop(
    "denies what carries a forbidden address, whatever IPv6 is allowed",
    [forbiddenIpv4],
    ([octets]) => {
      for (const { address, network } of carriersOf(octets)) {
        assert.isFalse(addressAllowed(address, TargetPolicy.strict), address)
        assert.isFalse(addressAllowed(address, policyOf("::/0")), address)
        assert.isTrue(addressAllowed(address, policyOf(`${network},${dotted(octets)}`)), address)
      }
    }
  )

  it("denies what local NAT64 cannot translate", () => {
    const malformed = ["64:ff9b:1:808:8:800:0:1", "64:ff9b:1:808:108:800::", "64:ff9b:1:808:8:800::1"]

    for (const address of malformed) assert.isFalse(addressAllowed(address, policyOf("64:ff9b:1::/48")))
    assert.isTrue(addressAllowed("64:ff9b:1:808:8:800::", policyOf("64:ff9b:1::/48")))
    assert.isFalse(addressAllowed("64:ff9b:1:808:8:800::", policyOf("64:ff9b:1::/52")))
  })

  it("takes loopback and nothing of IPv6 for addresses of their own", () => {
    assert.isTrue(addressAllowed("::1", policyOf("::1")))
    assert.isTrue(addressAllowed("::", policyOf("::")))
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
