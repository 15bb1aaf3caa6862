/**
 * Why an attempt of a delivery failed, in words that stay the same: lists
 * filter and group by them. They come from the status of the answer, or from
 * the code of the failure, and never from a text.
 */
import * as Schema from "effect/Schema"
import type { AttemptPhase } from "./Delivery.ts"

export const AttemptCause = Schema.Literals([
  /** 401, 403. */
  "unauthorized",
  /** 404, 410. */
  "not_found",
  /** 405, 406, 415. */
  "not_accepted",
  /** 3xx: redirects are not followed. */
  "redirected",
  /** 413. */
  "too_large",
  /** 400, 422 and all other 4xx. */
  "bad_request",
  /** 429. */
  "rate_limited",
  /** 5xx. */
  "server_error",
  /** The host name has no address, or was not resolved in time. */
  "dns",
  "connect_refused",
  "connect_timeout",
  /** Not connected for another reason: unreachable, reset, or stopped at the proxy. */
  "connect_failed",
  /** The certificate has ended, or has not begun. */
  "tls_expired",
  "tls_wrong_host",
  "tls_untrusted",
  /** The handshake came to nothing for another reason. */
  "tls_failed",
  /** Connected, and no answer in time. */
  "no_answer",
  /** The answer began as a success and was cut. */
  "broken_off",
  /** The address may not be called. */
  "blocked",
  /** The connection ended before an answer, or nothing could be sent. */
  "send_failed",
  /** What came is no answer of HTTP. */
  "invalid_answer"
])
export type AttemptCause = typeof AttemptCause.Type

/** Why a delivery has not arrived: why its latest attempt failed, or `expired` when it was given up without any. */
export const DeliveryCause = Schema.Literals([...AttemptCause.literals, "expired"])
export type DeliveryCause = typeof DeliveryCause.Type

/** How an attempt ended. */
export interface AttemptEnd {
  /** How far it came. */
  readonly phase: AttemptPhase
  /** Of the answer, as far as one began. */
  readonly status: number | null
  /** The code of what ended it: that of the system, of TLS, or one of our own. Null when the answer was read. */
  readonly code: string | null
  /** Whether the handshake had begun, where it came no further than to connect. */
  readonly tls: "begun" | "none"
}

/** The cause of an attempt that failed; null of one that did not. */
export const causeOf = (end: AttemptEnd): AttemptCause | null => {
  const { code, status } = end
  if (status !== null && !isSuccess(status)) return causeOfStatus(status)
  if (code === null) return status === null ? "no_answer" : null
  return status === null ? causeOfCode(code, end) : "broken_off"
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const causesOfStatus: { readonly [status: number]: AttemptCause } = {
  401: "unauthorized",
  403: "unauthorized",
  404: "not_found",
  410: "not_found",
  405: "not_accepted",
  406: "not_accepted",
  415: "not_accepted",
  413: "too_large",
  429: "rate_limited"
}

const causeOfStatus = (status: number): AttemptCause => {
  const named = causesOfStatus[status]
  if (named !== undefined) return named
  if (status >= 300 && status < 400) return "redirected"
  if (status >= 400 && status < 500) return "bad_request"
  return status >= 500 && status < 600 ? "server_error" : "invalid_answer"
}

/** Codes that say all by themselves. */
const causesOfCode: { readonly [code: string]: AttemptCause } = {
  TargetRefused: "blocked",
  NameUnresolved: "dns",
  ProxyFailed: "connect_failed",
  TooManyInterimAnswers: "invalid_answer",
  AnswerTooLong: "invalid_answer",
  UND_ERR_HEADERS_OVERFLOW: "invalid_answer",
  HTTPParserError: "invalid_answer",
  "bad response": "invalid_answer",
  "bad upgrade": "invalid_answer",
  ECONNREFUSED: "connect_refused",
  EHOSTUNREACH: "connect_failed",
  ENETUNREACH: "connect_failed",
  CERT_HAS_EXPIRED: "tls_expired",
  CERT_NOT_YET_VALID: "tls_expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls_wrong_host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls_untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls_untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls_untrusted"
}

const timeOuts = new Set(["TimedOut", "ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"])

/** Of a failure before any answer. */
const causeOfCode = (code: string, { phase, tls }: AttemptEnd): AttemptCause => {
  const named = causesOfCode[code]
  if (named !== undefined) return named
  switch (phase) {
    case "policy":
      return "send_failed"
    case "dns":
      return "dns"
    case "connect":
      if (tls === "begun") return "tls_failed"
      return timeOuts.has(code) ? "connect_timeout" : "connect_failed"
    default:
      return timeOuts.has(code) ? "no_answer" : "send_failed"
  }
}

/** What receivers answered: the class of the status, or `none` when an attempt got no answer or there was none to make. */
export const AnswerClass = Schema.Literals(["2xx", "3xx", "4xx", "5xx", "none"])
export type AnswerClass = typeof AnswerClass.Type

/** The lowest status of a class; null of `none`. The highest is 99 above. */
export const lowestStatusOf = (answer: AnswerClass): number | null =>
  answer === "none" ? null : 100 * Number(answer.charAt(0))

/** The causes that a delivery can have which failed with such an answer, for a store that finds it by cause. */
export const causesOf = (answer: AnswerClass): ReadonlyArray<DeliveryCause> =>
  DeliveryCause.literals.filter((cause) => (answersByCause.get(cause) ?? "none") === answer)

const statusesOfClass = Array.from({ length: 100 }, (_, index) => index)

const answersByCause: ReadonlyMap<DeliveryCause, AnswerClass> = new Map<DeliveryCause, AnswerClass>([
  ["broken_off", "2xx"],
  ...(["3xx", "4xx", "5xx"] as const).flatMap((answer) =>
    statusesOfClass.map((index) => [causeOfStatus((lowestStatusOf(answer) ?? 0) + index), answer] as const)
  )
])
