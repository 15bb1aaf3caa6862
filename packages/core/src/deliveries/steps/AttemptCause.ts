/**
 * Why an attempt of a delivery failed, in words that never change: lists filter and
 * group by them. A cause comes from the status of the answer or the code of the
 * failure, never from a text.
 */
import * as Schema from "effect/Schema"

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
  /** Not connected for another reason: unreachable, reset, or refused by the proxy. */
  "connect_failed",
  /** The certificate has expired, or is not valid yet. */
  "tls_expired",
  "tls_wrong_host",
  "tls_untrusted",
  /** The handshake failed for another reason. */
  "tls_failed",
  /** Connected, but no answer in time. */
  "no_answer",
  /** The answer began as a success and was cut short. */
  "broken_off",
  /** The address may not be called. */
  "blocked",
  /** The connection ended before an answer, or nothing could be sent. */
  "send_failed",
  /** The answer is not HTTP. */
  "invalid_answer"
])
export type AttemptCause = typeof AttemptCause.Type

/**
 * Why a delivery has not arrived: the cause of its latest attempt, or `expired` if
 * it was given up without one.
 */
export const DeliveryCause = Schema.Literals([...AttemptCause.literals, "expired"])
export type DeliveryCause = typeof DeliveryCause.Type

/** How far an attempt came before it ended. */
export const AttemptPhase = Schema.Literals([
  "policy",
  "dns",
  "connect",
  "request",
  "headers",
  "body",
  "done"
])
export type AttemptPhase = typeof AttemptPhase.Type

/** How an attempt ended. */
export interface AttemptEnd {
  /** How far it came. */
  readonly phase: AttemptPhase
  /** Of the answer, if one began. */
  readonly status: number | null
  /** The code of the failure: from the system, from TLS, or one of our own. Null if the answer was read. */
  readonly code: string | null
  /** Whether the TLS handshake had begun, if the attempt got no further than connecting. */
  readonly tls: "begun" | "none"
}

/** The cause of a failed attempt; null for one that did not fail. */
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

/** Codes that decide by themselves. */
const causesOfCode: { readonly [code: string]: AttemptCause } = {
  TargetRefused: "blocked",
  NameUnresolved: "dns",
  ProxyFailed: "connect_failed",
  TooManyInterimAnswers: "invalid_answer",
  AnswerTooLong: "invalid_answer",
  UND_ERR_HEADERS_OVERFLOW: "invalid_answer",
  HTTPParserError: "invalid_answer",
  UnaskedStatus: "invalid_answer",
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

/** For a failure before any answer. */
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

/**
 * How receivers answered: the class of the status, or `none` if an attempt got no
 * answer or could not be made.
 */
export const AnswerClass = Schema.Literals(["2xx", "3xx", "4xx", "5xx", "none"])
export type AnswerClass = typeof AnswerClass.Type

/** The lowest status of a class; null for `none`. The highest is 99 above. */
export const lowestStatusOf = (answer: AnswerClass): number | null =>
  answer === "none" ? null : 100 * Number(answer.charAt(0))

/** The causes of deliveries that failed with such an answer, for a store that finds them by cause. */
export const causesOf = (answer: AnswerClass): ReadonlyArray<DeliveryCause> =>
  DeliveryCause.literals.filter((cause) => (answersByCause.get(cause) ?? "none") === answer)

const statusesOfClass = Array.from({ length: 100 }, (_, index) => index)

const answersByCause: ReadonlyMap<DeliveryCause, AnswerClass> = new Map<DeliveryCause, AnswerClass>([
  ["broken_off", "2xx"],
  ...(["3xx", "4xx", "5xx"] as const).flatMap((answer) =>
    statusesOfClass.map((index) => [causeOfStatus((lowestStatusOf(answer) ?? 0) + index), answer] as const)
  )
])
