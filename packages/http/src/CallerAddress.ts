/** Where a request comes from, as far as that can be trusted. */
import * as Context from "effect/Context"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/**
 * How many proxies stand in front of the service, each of which adds whom it
 * heard to `X-Forwarded-For`. With none, whatever that header says is the word
 * of a stranger.
 */
export const TrustedProxies = Context.Reference<number>("@runhook/http/TrustedProxies", {
  defaultValue: () => 0
})

/**
 * Names the network that a request comes from: an IPv4 address, or the /64 of
 * an IPv6 address, since whoever has one of it has them all. Requests of which
 * it is not known come from one place.
 */
export const networkOf = (
  { headers, remoteAddress }: Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">,
  trustedProxies: number
): string => {
  const peer = Option.getOrElse(remoteAddress, () => "")
  const forwarded = headers["x-forwarded-for"]?.split(",") ?? []
  // The last entry is the word of the nearest proxy, and so on; who came past them all is who was heard.
  const heard = trustedProxies === 0 ? undefined : forwarded.at(-trustedProxies)?.trim()
  return network(heard ?? "") ?? network(peer) ?? "unknown"
}

const network = (text: string): string | undefined => {
  const parsed = NetAddress.ipFromString(text.replace(/%.*$/, ""))
  if (Result.isFailure(parsed)) return undefined
  const address = NetAddress.toCanonical(parsed.success)
  return NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : NetAddress.ipv6ToSegments(address).slice(0, 4).join(":")
}
