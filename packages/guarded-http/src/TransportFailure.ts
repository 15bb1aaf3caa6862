/**
 * Failures between a request and its answer, in words for the owner of the
 * receiver. Texts of libraries are not used: they name addresses and internals, and
 * change with every version.
 */
import { TargetRefused } from "@runhook/core/shared/target/TargetRefused"
import * as Schema from "effect/Schema"
import type { Phase } from "./Answer.ts"
import { interimAnswersMax } from "./SizeLimits.ts"

/** The host of the URL has no address. */
export class NameUnresolved extends Schema.TaggedError<NameUnresolved>()("NameUnresolved", {}) {
  override get message() {
    return "The host name could not be resolved"
  }
}

/** The connection was closed before anything was sent over it. */
export class Disconnected extends Schema.TaggedError<Disconnected>()("Disconnected", {}) {
  override get message() {
    return closed
  }
}

/** The operator's proxy was not reached, or did not connect. */
export class ProxyFailed extends Schema.TaggedError<ProxyFailed>()("ProxyFailed", {
  /** The status it answered; null if none. */
  status: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return this.status === null
      ? "The egress proxy cannot be reached"
      : `The egress proxy answered ${this.status} instead of connecting`
  }
}

/** A time limit ended the request. */
export class TimedOut extends Schema.TaggedError<TimedOut>()("TimedOut", {
  limit: Schema.Literals(["dns", "connect", "headers", "total"])
}) {
  override get message() {
    return timeOuts[this.limit]
  }
}

const timeOuts = {
  dns: "The host name was not resolved in time",
  connect: "No connection was made in time",
  headers: "No answer came in time",
  total: "The answer was not complete in time"
}

/** The receiver kept sending interim answers. */
export class TooManyInterimAnswers extends Schema.TaggedError<TooManyInterimAnswers>()(
  "TooManyInterimAnswers",
  {}
) {
  override get message() {
    return `The receiver sent more than ${interimAnswersMax} interim answers`
  }
}

/** The receiver sent a status that answers no request. */
export class UnaskedStatus extends Schema.TaggedError<UnaskedStatus>()("UnaskedStatus", {
  status: Schema.Int
}) {
  override get message() {
    return `The receiver sent ${this.status}, which nobody asked for`
  }
}

/** The receiver sent more for one request than is read of an answer, apart from its body. */
export class AnswerTooLong extends Schema.TaggedError<AnswerTooLong>()("AnswerTooLong", {
  kibibytes: Schema.Int
}) {
  override get message() {
    return `The answer is longer than ${this.kibibytes} KiB`
  }
}

/** The phase a failure belongs to, if it knows better than how far the request had come. */
export const phaseOf = (failure: Error, reached: Phase): Phase => {
  if (failure instanceof TargetRefused) return "policy"
  if (failure instanceof NameUnresolved) return "dns"
  return failure instanceof TimedOut && failure.limit === "dns" ? "dns" : reached
}

/** Whether the request ended because the other side closed the connection. */
export const isDisconnect = (failure: Error): boolean => wordsByCode[codeOf(failure)] === closed

/** Whether more came than is read of an answer. */
export const isExcess = (failure: Error): boolean =>
  failure instanceof AnswerTooLong || codeOf(failure) === headersOverflow

const ownFailures = [
  TargetRefused,
  NameUnresolved,
  Disconnected,
  ProxyFailed,
  TimedOut,
  TooManyInterimAnswers,
  UnaskedStatus,
  AnswerTooLong
]

/** What went wrong, in words. */
export const wordsOf = (failure: Error): string => {
  if (ownFailures.some((each) => failure instanceof each)) return failure.message
  const code = codeOf(failure)
  return wordsByCode[code] ?? `The connection failed (${code})`
}

/**
 * The code of a failure: its own, the system's or that of TLS. An answer that is
 * not HTTP has a code for each of its faults, so its name says more.
 */
export const codeOf = (failure: Error): string =>
  "code" in failure && typeof failure.code === "string" && failure.name !== "HTTPParserError"
    ? failure.code
    : failure.name

const closed = "The receiver closed the connection"
const headersOverflow = "UND_ERR_HEADERS_OVERFLOW"
const untrusted = "The certificate of the receiver is not signed by a trusted authority"

const outdated = "The receiver speaks no TLS of version 1.2 or newer"

const wordsByCode: { readonly [code: string]: string } = {
  ECONNREFUSED: "The receiver refused the connection",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: timeOuts.connect,
  UND_ERR_CONNECT_TIMEOUT: timeOuts.connect,
  EHOSTUNREACH: "The receiver cannot be reached",
  ENETUNREACH: "The receiver cannot be reached",
  [headersOverflow]: "The headers of the answer are too large",
  HTTPParserError: "The answer is not valid HTTP",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: outdated,
  ERR_SSL_UNSUPPORTED_PROTOCOL: outdated,
  CERT_HAS_EXPIRED: "The certificate of the receiver has expired",
  CERT_NOT_YET_VALID: "The certificate of the receiver is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate of the receiver is for another host",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted
}
