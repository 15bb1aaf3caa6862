/**
 * The guard between callers and the operator's network. It judges a callback URL
 * when it is accepted, and again when it is called, with the addresses that its
 * host then has. It judges text alone and never looks up a name.
 */
import * as Host from "effect/net/Host"
import * as Result from "effect/Result"
import { addressAllowed } from "./AddressPolicy.ts"
import { isAllowedHost, nameOf, type TargetPolicy } from "./TargetPolicy.ts"
import { callbackUrlLengthMax, TargetRefused, type TargetRule } from "./TargetRefused.ts"

/**
 * Reads a callback URL. Odd spellings of addresses, such as `http://0x7f.1`, are
 * normalized, so store and call the `href` of the answer, never the given text.
 */
export const checkUrl = (text: string, policy: TargetPolicy): Result.Result<URL, TargetRefused> => {
  if (text.length > callbackUrlLengthMax) return refuse("length")
  // A half of a surrogate pair would be called as another character.
  const url = text.isWellFormed() ? URL.parse(text) : null
  if (url === null) return refuse("form")
  const rule = brokenRule(url, policy)
  return rule === undefined ? Result.succeed(url) : refuse(rule)
}

/** Judges an address that the host of a checked URL resolved to. One refused address refuses the host. */
export const checkAddress = (
  target: { readonly url: URL; readonly address: string },
  policy: TargetPolicy
): Result.Result<void, TargetRefused> =>
  isAllowedHost(policy, target.url) || addressAllowed(target.address, policy)
    ? Result.void
    : refuse("address")

const refuse = (rule: TargetRule) => Result.fail(new TargetRefused({ rule }))

const brokenRule = (url: URL, policy: TargetPolicy): TargetRule | undefined => {
  // Escaping can make a URL longer than its text.
  if (url.href.length > callbackUrlLengthMax) return "length"
  if (url.protocol !== "https:" && url.protocol !== "http:") return "scheme"
  if (url.username !== "" || url.password !== "") return "user_info"
  if (url.port !== "" && badPorts.has(Number(url.port))) return "port"
  const host = nameOf(url)
  if (host.split(".").includes("")) return "label"
  if (isAllowedHost(policy, url)) return undefined
  if (isAddress(host)) return addressAllowed(host, policy) ? undefined : "address"
  return isPublicName(host) ? undefined : "host"
}

/** A parsed URL writes every IPv4 address in four decimal numbers. What only looks like an address is refused as one. */
const isAddress = (host: string): boolean => host.includes(":") || /^[\d.]+$/.test(host)

const privateSuffixes = [".localhost", ".local", ".internal"]

const isPublicName = (host: string): boolean =>
  host.includes(".") &&
  Result.isSuccess(Host.domainNameFromString(host)) &&
  !privateSuffixes.some((suffix) => host.endsWith(suffix))

/**
 * Ports of other protocols, which browsers refuse for HTTP as well: the "bad ports"
 * of the WHATWG Fetch standard.
 */
export const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
])
