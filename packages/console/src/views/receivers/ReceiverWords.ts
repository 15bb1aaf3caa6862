/** The state of a receiver in words. */
import type { KnownAttemptCause, Receiver } from "@runhook/sdk/admin"
import type { Tone } from "../../parts/Status.tsx"

export interface ReceiverWord {
  /** The word of `Status`. */
  readonly of: string
  readonly word: string
  readonly tone: Tone
}

const words: { readonly [cause in KnownAttemptCause]: string } = {
  unauthorized: "Refuses",
  not_found: "No such path",
  not_accepted: "Does not accept events",
  redirected: "Redirects",
  too_large: "Body too large",
  bad_request: "Refuses",
  rate_limited: "Asks for a pause",
  server_error: "Failing",
  dns: "Address not found",
  connect_refused: "Unreachable",
  connect_timeout: "Unreachable",
  connect_failed: "Unreachable",
  tls_expired: "Certificate has expired",
  tls_wrong_host: "Certificate for another host",
  tls_untrusted: "Certificate not trusted",
  tls_failed: "No TLS",
  no_answer: "No answer in time",
  broken_off: "Answer broke off",
  blocked: "Blocked by policy",
  send_failed: "Connection broke",
  invalid_answer: "Answer is not HTTP"
}

const isKnown = (cause: string): cause is KnownAttemptCause => Object.hasOwn(words, cause)

/** Its last failure: `Refuses (401)`. */
const failureWord = ({ last_failure: failure }: Receiver): string => {
  if (failure === null) return "Failing"
  const { cause, status } = failure
  const word = cause === null ? "Failing" : isKnown(cause) ? words[cause] : cause
  return status === null ? word : `${word} (${status})`
}

export const receiverWord = (receiver: Receiver): ReceiverWord => {
  switch (receiver.state) {
    case "open":
    case "failing":
      return { of: "failing", word: failureWord(receiver), tone: "bad" }
    case "paused":
      return { of: "paused", word: "Asked for a pause", tone: "warn" }
    case "recovering":
      return { of: "recovering", word: "Recovering", tone: "run" }
    case "untried":
      return { of: "untried", word: "Not tried yet", tone: "quiet" }
    case "healthy":
      return { of: "healthy", word: "Healthy", tone: "good" }
    default:
      return { of: receiver.state, word: receiver.state, tone: "quiet" }
  }
}
