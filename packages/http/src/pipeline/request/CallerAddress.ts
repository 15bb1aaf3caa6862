/** The address that a request comes from, read only from proxies that are trusted. */
import * as Context from "effect/Context"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { heardBy } from "./Forwarding.ts"

/**
 * How many proxies stand in front of the service and add the address they heard to `X-Forwarded-For` or `Forwarded`.
 * Without proxies, those headers are the word of a stranger.
 */
export const TrustedProxies = Context.Reference<number>("@runhook/http/TrustedProxies", {
  defaultValue: () => 0
})

type From = Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">

/**
 * Names the network that a request comes from: an IPv4 address, or the /64 of an
 * IPv6 address, since one who has one of its addresses has them all. Requests of
 * unknown origin count as one network.
 */
export const networkOf = (request: From, trustedProxies: number): string =>
  placeOf(request, trustedProxies)?.network ?? "unknown"

/** The whole address that a request comes from; null if it is unknown. */
export const addressOf = (request: From, trustedProxies: number): string | null =>
  placeOf(request, trustedProxies)?.address ?? null

/** An address as text, and its network. */
interface NetworkAddress {
  readonly address: string
  readonly network: string
}

const placeOf = ({ headers, remoteAddress }: From, trustedProxies: number): NetworkAddress | null => {
  const peer = Option.getOrElse(remoteAddress, () => "")
  // A caller that bypassed the proxies is known by its own connection, and so is one whose address they hide.
  const heard = trustedProxies === 0 ? undefined : heardBy(headers, trustedProxies)
  return read(heard ?? "") ?? read(peer)
}

/** Whether a trusted proxy wrote something else than an address, such as `unknown`. */
export const isHidden = ({ headers }: Pick<From, "headers">, trustedProxies: number): boolean => {
  const heard = trustedProxies === 0 ? undefined : heardBy(headers, trustedProxies)
  return heard !== undefined && read(heard) === null
}

/**
 * Texts that were parsed lately, with their results: parsing takes longer than most
 * other work for a request.
 */
const places = new Map<string, NetworkAddress | null>()
const placesMax = 10_000

/** Longer than any address is written. */
const textMax = 64

const read = (text: string): NetworkAddress | null => {
  if (text.length > textMax) return null
  const known = places.get(text)
  if (known !== undefined) return known
  const place = parsed(text)
  if (places.size >= placesMax) places.clear()
  places.set(text, place)
  return place
}

const parsed = (text: string): NetworkAddress | null => {
  const address = NetAddress.ipFromString(text.replace(/%.*$/, ""))
  if (Result.isFailure(address)) return null
  const canonical = NetAddress.toCanonical(address.success)
  const written = NetAddress.formatIp(canonical)
  return {
    address: written,
    network: NetAddress.isIpv4Address(canonical)
      ? written
      : NetAddress.ipv6ToSegments(canonical).slice(0, 4).join(":")
  }
}
