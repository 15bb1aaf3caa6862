/** The answers to malformed HTTP. Where nothing was understood, they are written by hand. */
import type { Headers } from "effect/http/Headers"
import { standing } from "../pipeline/answer/CommonHeaders.ts"
import { errorBody, type Problem } from "./ErrorAnswer.ts"

/**
 * A header that no caller can send. The listener adds it to a request that does not
 * name its host exactly once, which only the listener can see.
 */
export const misnamedHost = ":host"

/** Another, which the listener adds to a request whose body the host has read before. */
export const consumedBody = ":body"

/** What is wrong with a request that only the listener can see. */
export const listenerProblem = (headers: Headers): Problem | undefined =>
  misnamedHost in headers ? hostProblem : consumedBody in headers ? bodyProblem : undefined

const hostProblem: Problem = { status: 400, message: "Host: must be there exactly once" }

const bodyProblem: Problem = {
  status: 500,
  message: "body: was read before it came here. Mount these routes before any parser of bodies"
}

const bad = "400 Bad Request"

/** Status lines and messages, by Node's codes. */
const malformations: { readonly [code: string]: readonly [status: string, message: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["413 Content Too Large", "The chunk extensions of the body are too long"],
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "The URL and headers must be at most 16 KiB together"
  ],
  HPE_INVALID_CONTENT_LENGTH: [bad, "Content-Length: must be a whole number in digits"],
  HPE_INVALID_HEADER_TOKEN: [bad, "A header has a character that headers must not have"],
  HPE_INVALID_METHOD: [bad, "The method must be one of HTTP, in capitals"],
  HPE_INVALID_TRANSFER_ENCODING: [bad, "Transfer-Encoding: must be chunked, without Content-Length"],
  HPE_INVALID_URL: [bad, "The URL has a character that must be percent-encoded"],
  HPE_UNEXPECTED_CONTENT_LENGTH: [bad, "Content-Length: must be there at most once"]
}

const proxyProtocol = "This port speaks HTTP, not the PROXY protocol: let the proxy send X-Forwarded-For"

/** What else may be spoken there, by its first bytes. */
const otherProtocols: ReadonlyArray<readonly [begins: string, message: string]> = [
  ["\x16\x03", "This port speaks HTTP, not HTTPS"],
  ["PROXY ", proxyProtocol],
  ["\r\n\r\n\0\r\nQUIT\n", proxyProtocol]
]

interface ParseError extends Error {
  readonly code?: string
  /** What could not be read. */
  readonly rawPacket?: Buffer
}

/** A whole HTTP/1.1 response. */
export const malformedAnswer = ({ code = "", rawPacket }: ParseError, requestId: string): string => {
  const begins = rawPacket?.toString("latin1", 0, 16) ?? ""
  const other = otherProtocols.find(([bytes]) => begins.startsWith(bytes))
  const [status, message] = other
    ? [bad, other[1]]
    : (malformations[code] ?? [bad, "This is not an HTTP request"])
  const body = JSON.stringify(errorBody({ status: Number(status.slice(0, 3)), message }, requestId))
  return [
    `HTTP/1.1 ${status}`,
    "Connection: close",
    ...Object.entries(standing).map(([name, value]) => `${name}: ${value}`),
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${requestId}`,
    "",
    body
  ].join("\r\n")
}
