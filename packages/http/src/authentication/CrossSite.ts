/**
 * Whether a browser sends a request on behalf of another site. Browsers add cookies
 * to requests of any page, so a change needs more than the cookie: the service's
 * own origin, and a header that other sites cannot send without asking first.
 */
import type { Headers } from "effect/http/Headers"

/** The header that the Integrations page sends with every call. */
export const consoleHeader = "x-runhook-console"

interface Asking {
  readonly method: string
  readonly headers: Headers
}

const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** For requests that are authenticated by a cookie. */
export const isCrossSite = ({ headers, method }: Asking, baseUrl: string): boolean =>
  !reading.has(method) && !(isOwn(headers, baseUrl) && headers[consoleHeader] === "1")

/**
 * For requests that need no cookie, and set one: if they name an origin, it must be
 * ours. Programs name none.
 */
export const isSentElsewhere = (headers: Headers, baseUrl: string): boolean =>
  (headers["origin"] !== undefined || headers["sec-fetch-site"] !== undefined) && !isOwn(headers, baseUrl)

/** No page can set either of these headers. */
const isOwn = (headers: Headers, baseUrl: string): boolean =>
  headers["sec-fetch-site"] === "same-origin" || headers["origin"] === new URL(baseUrl).origin
