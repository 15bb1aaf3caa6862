/** The operator's policy for callback targets: which of those denied by default may be called. */
import * as Arr from "effect/Array"
import * as Host from "effect/net/Host"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A host that may be called under this name, wherever it resolves to. */
export interface AllowedHost {
  readonly name: string
  /** The one port allowed; null for any. */
  readonly port: number | null
}

export interface TargetPolicy {
  readonly networks: ReadonlyArray<IpNetwork.IpNetwork>
  readonly hosts: ReadonlyArray<AllowedHost>
  /** The machine's own addresses, denied unless a network allows them. */
  readonly ownAddresses: ReadonlyArray<NetAddress.IpAddress>
}

/** Allows public addresses only. */
export const strict: TargetPolicy = { networks: [], hosts: [], ownAddresses: [] }

/** An entry of the setting that has none of the allowed forms. */
export class TargetPolicyInvalid extends Schema.TaggedError<TargetPolicyInvalid>()("TargetPolicyInvalid", {
  entry: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `"${this.entry}" is not a network, an address or a host: ${this.reason}`
  }
}

/**
 * Reads the setting: networks, addresses and hosts, separated by commas, such as
 * `127.0.0.0/8,::1,localhost,hooks.internal:8443`. A host without a port, or with
 * `:*`, is allowed on every port.
 */
export const parse = (setting: string): Result.Result<TargetPolicy, TargetPolicyInvalid> =>
  Result.map(Result.all(entriesOf(setting).map(parseEntry)), (entries) => ({
    ...strict,
    networks: entries.filter(IpNetwork.isIpNetwork),
    hosts: entries.filter((entry) => "name" in entry)
  }))

/**
 * The same policy for a machine with these addresses. Anything that is not an
 * address, such as a scoped one, is skipped.
 */
export const withOwnAddresses = (policy: TargetPolicy, addresses: ReadonlyArray<string>): TargetPolicy => ({
  ...policy,
  ownAddresses: Arr.getSuccesses(addresses.map(NetAddress.ipFromString))
})

/** Whether the operator named this host: its name and addresses are then not judged. */
export const isAllowedHost = (policy: TargetPolicy, url: URL): boolean =>
  policy.hosts.some(({ name, port }) => name === nameOf(url) && (port === null || port === portOf(url)))

/** The host of a URL in the form of the rules: without brackets and without the root's dot. */
export const nameOf = (url: URL): string => withoutRoot(url.hostname.replace(/^\[|\]$/g, ""))

const withoutRoot = (name: string): string => name.replace(/\.$/, "")

const portOf = (url: URL): number => {
  if (url.port !== "") return Number(url.port)
  return url.protocol === "https:" ? 443 : 80
}

const entriesOf = (setting: string): ReadonlyArray<string> =>
  setting.split(",").flatMap((entry) => entry.trim() || [])

const parseEntry = (entry: string): Result.Result<IpNetwork.IpNetwork | AllowedHost, TargetPolicyInvalid> =>
  parseNetwork(entry).pipe(
    Result.orElse((fault) => (entry.includes("/") ? Result.fail(fault) : parseHost(entry))),
    Result.mapError(({ message }) => new TargetPolicyInvalid({ entry, reason: message }))
  )

const parseNetwork = (entry: string): Result.Result<IpNetwork.IpNetwork, NetAddress.NetAddressError> =>
  entry.includes("/")
    ? IpNetwork.fromString(entry)
    : Result.map(NetAddress.ipFromString(entry), (address) =>
        IpNetwork.makeUnsafe(address, NetAddress.width(address))
      )

const parseHost = (entry: string): Result.Result<AllowedHost, NetAddress.NetAddressError> =>
  /:\d+$/.test(entry)
    ? Result.map(Host.hostPortFromString(entry), ({ host, port }) => allowed(Host.formatHost(host), port))
    : Result.map(Host.domainNameFromString(entry.replace(/:\*$/, "")), (name) => allowed(name, null))

const allowed = (name: string, port: number | null): AllowedHost => ({ name: withoutRoot(name), port })
