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

type From = Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">

/**
 * Names the network that a request comes from: an IPv4 address, or the /64 of
 * an IPv6 address, since whoever has one of it has them all. Requests of which
 * it is not known come from one place.
 */
export const networkOf = ({ headers, remoteAddress }: From, trustedProxies: number): string => {
  const address = callerOf({ headers, remoteAddress }, trustedProxies)
  if (address === undefined) return "unknown"
  return NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : NetAddress.ipv6ToSegments(address).slice(0, 4).join(":")
}

/** The whole address that a request comes from; null when it is not known. */
export const addressOf = (request: From, trustedProxies: number): string | null => {
  const address = callerOf(request, trustedProxies)
  return address === undefined ? null : NetAddress.formatIp(address)
}

const callerOf = (
  { headers, remoteAddress }: From,
  trustedProxies: number
): NetAddress.IpAddress | undefined => {
  const peer = Option.getOrElse(remoteAddress, () => "")
  const forwarded = headers["x-forwarded-for"]?.split(",") ?? []
  // The last entry is the word of the nearest proxy, and so on; who came past them all is who was heard.
  const heard = trustedProxies === 0 ? undefined : forwarded.at(-trustedProxies)?.trim()
  return parsed(heard ?? "") ?? parsed(peer)
}

const parsed = (text: string): NetAddress.IpAddress | undefined => {
  const address = NetAddress.ipFromString(text.replace(/%.*$/, ""))
  return Result.isFailure(address) ? undefined : NetAddress.toCanonical(address.success)
}
