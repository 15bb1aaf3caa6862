/**
 * Finds the addresses of hosts. Untrusted names are resolved only by DNS
 * queries over sockets: the system's resolver answers two names at a time, so two
 * dead name servers would hold up every other receiver. It resolves only names that
 * the operator allows, which may be in the hosts file.
 */
import { isAllowedHost, type TargetPolicy } from "@runhook/core/shared/target/TargetPolicy"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import { type A, type Aaaa, Dns } from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"
import { NameUnresolved } from "./TransportFailure.ts"

/** The addresses of the URL's host, which is a name; IPv4 first. */
export const addressesOf = Effect.fnUntraced(function* (url: URL, policy: TargetPolicy) {
  const { lookup } = yield* Dns
  const addresses = isAllowedHost(policy, url)
    ? yield* Effect.orElseSucceed(lookup(url.hostname), () => [])
    : yield* recordsOf(url.hostname)
  return Arr.isReadonlyArrayNonEmpty(addresses)
    ? Arr.map(addresses, NetAddress.formatIp)
    : yield* new NameUnresolved({})
})

/** A name often has addresses of one family only, so not finding the others is no failure. */
const recordsOf = Effect.fnUntraced(function* (hostname: string) {
  const { resolve } = yield* Dns
  const found: ReadonlyArray<ReadonlyArray<A | Aaaa>> = yield* Effect.all(
    [
      Effect.orElseSucceed(resolve(hostname, "A"), () => []),
      Effect.orElseSucceed(resolve(hostname, "AAAA"), () => [])
    ],
    { concurrency: 2 }
  )
  return found.flat().map((record): NetAddress.IpAddress => record.address)
})
