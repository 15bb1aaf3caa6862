/** Causes in a few words, which go on from the status that was answered, or stand alone. */
import type { KnownDeliveryCause } from "@runhook/sdk/admin"

const words: { readonly [Cause in KnownDeliveryCause]: string } = {
  unauthorized: "refuses the signature",
  not_found: "no such path",
  not_accepted: "does not take events",
  redirected: "redirects elsewhere",
  too_large: "finds the body too large",
  bad_request: "refuses the event",
  rate_limited: "asks for a pause",
  server_error: "failing",
  dns: "Address not found",
  connect_refused: "Connection refused",
  connect_timeout: "No connection in time",
  connect_failed: "No connection",
  tls_expired: "Certificate has expired",
  tls_wrong_host: "Certificate is for another host",
  tls_untrusted: "Certificate has no known issuer",
  tls_failed: "No TLS handshake",
  no_answer: "No answer in time",
  broken_off: "Answer broke off",
  blocked: "Blocked by policy",
  send_failed: "Broke off before an answer",
  invalid_answer: "Answer is not HTTP",
  expired: "Given up unsent"
}

const isKnown = (cause: string): cause is KnownDeliveryCause => Object.hasOwn(words, cause)

/** An unknown cause of a later version is shown as it is. */
export const causeWords = (cause: string): string => (isKnown(cause) ? words[cause] : cause)

/** All of them, for a filter. */
export const causes: ReadonlyArray<KnownDeliveryCause> = Object.keys(words).filter(isKnown)
