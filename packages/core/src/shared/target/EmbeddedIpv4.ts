/**
 * IPv6 addresses that stand for IPv4 addresses: a translator, a tunnel or the
 * system itself passes their traffic on.
 */
import * as Arr from "effect/Array"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"

type Octets = ReadonlyArray<number>

/** The address that systems dial: an IPv4 address mapped into IPv6 is that IPv4 address. */
export const unmapped = (address: NetAddress.IpAddress): NetAddress.IpAddress =>
  NetAddress.isIpv6Address(address) && IpNetwork.contains(mapped, address)
    ? ipv4At(NetAddress.ipv6ToOctets(address), 12)
    : address

/**
 * The IPv4 addresses that traffic to the address may end at; none for an ordinary
 * one. The prefix length, which belongs to the operator's network, decides where
 * local NAT64 puts them.
 */
export const embeddedIpv4 = (
  address: NetAddress.Ipv6Address,
  network: IpNetwork.IpNetwork
): ReadonlyArray<NetAddress.Ipv4Address> => {
  if (plain.has(NetAddress.formatIp(address))) return []
  const octets = NetAddress.ipv6ToOctets(address)
  const form = forms.find(([range]) => IpNetwork.contains(range, address))
  return [...(form?.[1](octets, network.prefixLength) ?? []), ...isatap(octets)]
}

const mapped = IpNetwork.fromStringUnsafe("::ffff:0:0/96")

/** These are in the range of compatible addresses, but are not compatible addresses. */
const plain: ReadonlySet<string> = new Set(["::", "::1"])

const ipv4Of = (bytes: ReadonlyArray<number>) => NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(bytes))
const ipv4At = (octets: Octets, start: number) => ipv4Of(octets.slice(start, start + 4))

type Embedding = (octets: Octets, prefixLength: number) => ReadonlyArray<NetAddress.Ipv4Address>

const atEnd: Embedding = (octets) => [ipv4At(octets, 12)]

/** The server of the tunnel, and the client behind it, whose bits are inverted. */
const teredo: Embedding = (octets) => [
  ipv4At(octets, 4),
  ipv4Of(octets.slice(12).map((octet) => octet ^ 0xff))
]

/** By RFC 6052: right after the prefix, skipping the ninth octet; that one and the rest are zero. */
const translated: Embedding = (octets, prefixLength) => {
  if (prefixLength >= 96) return atEnd(octets, prefixLength)
  const bytes = Arr.remove(octets, 8)
  const start = prefixLength / 8
  const isWellFormed =
    [48, 56, 64].includes(prefixLength) &&
    octets[8] === 0 &&
    bytes.slice(start + 4).every((octet) => octet === 0)
  return isWellFormed ? [ipv4Of(bytes.slice(start, start + 4))] : [NetAddress.ipv4Unspecified]
}

/** An ISATAP interface may be in any network. */
const isatap = (octets: Octets): ReadonlyArray<NetAddress.Ipv4Address> => {
  const [flags, ...mark] = octets.slice(8, 12)
  const isInterface = (flags === 0 || flags === 2) && mark.join() === "0,94,254"
  return isInterface ? [ipv4At(octets, 12)] : []
}

const forms = (
  [
    // Compatible, and translated without state.
    ["::/96", atEnd],
    ["::ffff:0:0:0/96", atEnd],
    // NAT64, the well-known prefix and the one for local use.
    ["64:ff9b::/96", atEnd],
    ["64:ff9b:1::/48", translated],
    // Teredo and 6to4.
    ["2001::/32", teredo],
    ["2002::/16", (octets) => [ipv4At(octets, 2)]]
  ] satisfies ReadonlyArray<readonly [string, Embedding]>
).map(([range, embedding]) => [IpNetwork.fromStringUnsafe(range), embedding] as const)
