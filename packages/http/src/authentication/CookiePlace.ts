/** Where browsers send the service's cookies: to this host, and below the base URL's path, beside which others may live. */
import { rootOf } from "../BaseUrl.ts"

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith("https:")

/**
 * Browsers accept a cookie with the prefix `__Host-` only from this very host, over
 * TLS and for all paths, and one with `__Secure-` only over TLS. Without TLS there is
 * no such thing, so the plain name is used.
 */
export const nameAt = (baseUrl: string, name: string): string => {
  if (!isSecure(baseUrl)) return name
  return `${rootOf(baseUrl) === "/" ? "__Host-" : "__Secure-"}${name}`
}

/** No script can read them. */
export const placeAt = (baseUrl: string) =>
  ({ path: rootOf(baseUrl), httpOnly: true, secure: isSecure(baseUrl) }) as const
