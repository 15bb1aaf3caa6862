/** Which addresses callbacks may be sent to: public ones, unless the operator allows more. */
import * as Equal from "effect/Equal"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import { embeddedIpv4, unmapped } from "./EmbeddedIpv4.ts"
import type { TargetPolicy } from "./TargetPolicy.ts"

const networks = (...texts: ReadonlyArray<string>) => texts.map(IpNetwork.fromStringUnsafe)

export const publicIpv4 = networks("0.0.0.0/0")

/** The special-purpose networks of IPv4, and the address of Azure's platform services. */
export const deniedIpv4 = networks(
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

/** All publicly routed IPv6. */
export const publicIpv6 = networks("2000::/3")

/** Exceptions in it: Teredo and other protocols, documentation, 6to4. */
export const deniedIpv6 = networks("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

/** Whether a callback may go to this address, given as text. Anything that is not an address is denied. */
export const addressAllowed = (address: string, policy: TargetPolicy): boolean =>
  Result.match(NetAddress.ipFromString(address), {
    onFailure: () => false,
    onSuccess: (parsed) => isAllowed(unmapped(parsed), policy)
  })

/** An address that embeds others is allowed if all of those are. */
const isAllowed = (address: NetAddress.IpAddress, policy: TargetPolicy): boolean => {
  const isOwn = policy.ownAddresses.some((own) => Equal.equals(own, address))
  return [...policy.networks, ...(isOwn ? [] : publicNetworks(address))]
    .filter((network) => IpNetwork.contains(network, address))
    .some(
      (network) =>
        NetAddress.isIpv4Address(address) ||
        embeddedIpv4(address, network).every((embedded) => isAllowed(embedded, policy))
    )
}

const publicNetworks = (address: NetAddress.IpAddress): ReadonlyArray<IpNetwork.IpNetwork> => {
  const [open, denied] = NetAddress.isIpv4Address(address)
    ? [publicIpv4, deniedIpv4]
    : [publicIpv6, deniedIpv6]
  return denied.some((network) => IpNetwork.contains(network, address)) ? [] : open
}
