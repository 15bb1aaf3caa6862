/**
 * Whether a browser sends a request on behalf of another site. A cookie goes
 * with whatever a page asks for, so a change needs more than the cookie: an
 * origin that is the service's own, and a header that other sites cannot send
 * without being asked for it first.
 */
import type { Headers } from "effect/http/Headers"

/** The header that the Integrations page sends with every call. */
export const consoleHeader = "x-runhook-console"

interface Asking {
  readonly method: string
  readonly headers: Headers
}

const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** For requests that a cookie vouches for. */
export const isCrossSite = ({ headers, method }: Asking, baseUrl: string): boolean =>
  !reading.has(method) && !(isOwn(headers, baseUrl) && headers[consoleHeader] === "1")

/** For requests that need no cookie, and give one: whoever says where they come from must come from here. Programs say nothing. */
export const isSentElsewhere = (headers: Headers, baseUrl: string): boolean =>
  (headers["origin"] !== undefined || headers["sec-fetch-site"] !== undefined) && !isOwn(headers, baseUrl)

/** No page can set either of these headers. */
const isOwn = (headers: Headers, baseUrl: string): boolean =>
  headers["sec-fetch-site"] === "same-origin" || headers["origin"] === new URL(baseUrl).origin
