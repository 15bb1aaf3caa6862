/** Which addresses callbacks may be sent to: public ones, unless the operator allows more. */
import * as Equal from "effect/Equal"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import type { TargetPolicy } from "./TargetPolicy.ts"

const networks = (...texts: ReadonlyArray<string>) => texts.map(IpNetwork.fromStringUnsafe)
const contains = (candidates: ReadonlyArray<IpNetwork.IpNetwork>, address: NetAddress.IpAddress): boolean =>
  candidates.some((network) => IpNetwork.contains(network, address))

/** The special-purpose networks of IPv4, and where the platform of Azure answers. */
const deniedIpv4 = networks(
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
)

/** All of IPv6 that is routed publicly. */
const publicIpv6 = networks("2000::/3")

/** What is special all the same: Teredo and other protocols, documentation, 6to4. */
const deniedIpv6 = networks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

/** Where an IPv6 address stands for the IPv4 address in its last 32 bits: mapped, and translated by NAT64. */
const carriers = networks("::ffff:0:0/96", "64:ff9b::/96")

/** Whether a callback may go to this address, given as text. What is not an address is denied. */
export const addressAllowed = (address: string, policy: TargetPolicy): boolean =>
  Result.match(NetAddress.ipFromString(address), {
    onFailure: () => false,
    onSuccess: (parsed) => {
      const judged = carriedBy(parsed)
      if (contains(policy.networks, judged)) return true
      return isPublic(judged) && !policy.ownAddresses.some((own) => Equal.equals(own, judged))
    }
  })

const isPublic = (address: NetAddress.IpAddress): boolean =>
  NetAddress.isIpv4Address(address)
    ? !contains(deniedIpv4, address)
    : contains(publicIpv6, address) && !contains(deniedIpv6, address)

const carriedBy = (address: NetAddress.IpAddress): NetAddress.IpAddress =>
  NetAddress.isIpv6Address(address) && contains(carriers, address)
    ? NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(NetAddress.ipv6ToOctets(address).slice(12)))
    : address
