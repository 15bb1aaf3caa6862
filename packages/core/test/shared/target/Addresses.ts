/** Addresses to try the guard with, and the many ways to write them. */
import * as Arbitrary from "effect/Arbitrary"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** Written here once more, so that a network lost from the policy is missed. */
export const forbiddenIpv4Networks = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4"
] as const

type Octets = NetAddress.Ipv4Octets

const intBelow = (limit: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: limit - 1 })))

export const anyIpv4 = Arbitrary.map(intBelow(2 ** 32), (value) => octetsOf(value))

/** IPv4 addresses spread over the denied networks, small ones as often as large ones. */
export const forbiddenIpv4 = Arbitrary.map(
  Arbitrary.all([Arbitrary.schema(Schema.Literals(forbiddenIpv4Networks)), intBelow(2 ** 32)]),
  ([text, offset]) => {
    const network = Result.getOrThrow(IpNetwork.ipv4FromString(text))
    const first = valueOf(NetAddress.ipv4ToOctets(network.address))
    return octetsOf(first + (offset % 2 ** (32 - network.prefixLength)))
  }
)

export const dotted = (octets: Octets): string => octets.join(".")

const octetsOf = (value: number): Octets => [
  Math.floor(value / 2 ** 24),
  Math.floor(value / 2 ** 16) % 256,
  Math.floor(value / 2 ** 8) % 256,
  value % 256
]

const valueOf = (octets: Octets): number => octets.reduce((value, octet) => value * 256 + octet, 0)

const hex = (value: number) => value.toString(16)
const octal = (value: number) => value.toString(8)
const pair = (high: number, low: number) => hex(high * 256 + low)

/** Every way to write an IPv4 address as the host of a URL that some parser understands. */
export const spellingsOf = (octets: Octets): ReadonlyArray<string> => {
  const [a, b, c, d] = octets
  const plain = dotted(octets)
  const value = valueOf(octets)
  return [
    plain,
    `${plain}.`,
    `${value}`,
    `${value}.`,
    `0x${hex(value)}`,
    `0X${hex(value).toUpperCase()}`,
    `0${octal(value)}`,
    `${a}.${valueOf([0, b, c, d])}`,
    `${a}.${b}.${c * 256 + d}`,
    octets.map((octet) => `0x${hex(octet)}`).join("."),
    octets.map((octet) => `0${octal(octet)}`).join("."),
    octets.map((octet) => `0000${octal(octet)}`).join("."),
    `0x${hex(a)}.${b}.0${octal(c)}.${d}`,
    plain.replaceAll(".", "。"),
    plain.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    plain.replaceAll(/./g, (character) => `%${hex(character.charCodeAt(0))}`),
    ...["::ffff:", "0:0:0:0:0:FFFF:", "2606:4700::5efe:", "2606:4700::200:5efe:"].flatMap((prefix) => [
      `[${prefix}${plain}]`,
      `[${prefix}${pair(a, b)}:${pair(c, d)}]`
    ])
  ]
}

/** IPv6 addresses that carry an IPv4 address, and the network an operator lists to have each judged by it. */
export const carriersOf = ([a, b, c, d]: Octets): ReadonlyArray<{
  readonly address: string
  readonly network: string
}> => {
  const [high, low] = [pair(a, b), pair(c, d)]
  const [turnedHigh, turnedLow] = [pair(255 - a, 255 - b), pair(255 - c, 255 - d)]
  return [
    // What would be `::` or `::1` carries nothing.
    ...(a > 0 ? [{ address: `::${high}:${low}`, network: "::/96" }] : []),
    { address: `::ffff:0:${high}:${low}`, network: "::ffff:0:0:0/96" },
    { address: `64:ff9b::${high}:${low}`, network: "64:ff9b::/96" },
    { address: `64:ff9b:1::${high}:${low}`, network: "64:ff9b:1::/96" },
    { address: `64:ff9b:1:7:${hex(a)}:${pair(b, c)}:${pair(d, 0)}:0`, network: "64:ff9b:1:7::/64" },
    { address: `64:ff9b:1:${pair(7, a)}:${hex(b)}:${pair(c, d)}:0:0`, network: "64:ff9b:1:700::/56" },
    { address: `64:ff9b:1:${high}:${hex(c)}:${pair(d, 0)}:0:0`, network: "64:ff9b:1::/48" },
    { address: `2002:${high}:${low}::1`, network: "2002::/16" },
    { address: `2001:0:${high}:${low}:0:0:f7f7:f7f7`, network: "2001::/32" },
    { address: `2001:0:808:808:0:0:${turnedHigh}:${turnedLow}`, network: "2001::/32" },
    { address: `fd00::5efe:${high}:${low}`, network: "fd00::/8" }
  ]
}
