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
export const networkOf = (request: From, trustedProxies: number): string =>
  placeOf(request, trustedProxies)?.network ?? "unknown"

/** The whole address that a request comes from; null when it is not known. */
export const addressOf = (request: From, trustedProxies: number): string | null =>
  placeOf(request, trustedProxies)?.address ?? null

/** An address as it is written, and the network that it is in. */
interface Place {
  readonly address: string
  readonly network: string
}

const placeOf = ({ headers, remoteAddress }: From, trustedProxies: number): Place | null => {
  const peer = Option.getOrElse(remoteAddress, () => "")
  const forwarded = headers["x-forwarded-for"]?.split(",") ?? []
  // The last entry is the word of the nearest proxy, and so on; who came past them all is who was heard.
  const heard = trustedProxies === 0 ? undefined : forwarded.at(-trustedProxies)?.trim()
  return read(heard ?? "") ?? read(peer)
}

/** Texts that were read lately, whatever came of them: reading one takes longer than much else of a request. */
const places = new Map<string, Place | null>()
const placesMax = 10_000

/** Longer than any address is written. */
const textMax = 64

const read = (text: string): Place | null => {
  if (text.length > textMax) return null
  const known = places.get(text)
  if (known !== undefined) return known
  const place = parsed(text)
  if (places.size >= placesMax) places.clear()
  places.set(text, place)
  return place
}

const parsed = (text: string): Place | null => {
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
