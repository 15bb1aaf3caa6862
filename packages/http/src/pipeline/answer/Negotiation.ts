/** What a request says about media types: which it sends, and which it accepts (RFC 9110, section 12). */
import type { Headers } from "effect/http/Headers"
import type { Problem } from "../../errors/ErrorAnswer.ts"
import { bodySizeMax, bodyTooLarge } from "../../limits/BodySize.ts"

/** Whether an `Accept` or `Accept-Encoding` header takes one of the names. The most specific match decides. */
const accepts = (header: string, names: ReadonlyArray<string>): boolean => {
  const offers = new Map(header.split(",").map(parseOffer))
  const name = names.find((each) => offers.has(each))
  return name !== undefined && (offers.get(name) ?? 0) > 0
}

const parseOffer = (offer: string): readonly [name: string, quality: number] => {
  const [name = "", ...parameters] = offer.split(";").map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith("q="))
  return [name, quality === undefined ? 1 : Number(quality.slice(2))]
}

export const acceptsJson = ({ accept }: Headers): boolean =>
  accept === undefined ||
  accept.trim() === "" ||
  accepts(accept, ["application/json", "application/*", "*/*"])

export const acceptsEvents = ({ accept }: Headers): boolean =>
  accept === undefined || accept.trim() === "" || accepts(accept, ["text/event-stream", "text/*", "*/*"])

/** Whether the media type is asked for by name. */
export const prefers = ({ accept = "" }: Headers, form: string): boolean => accepts(accept, [form])

export const acceptsGzip = (headers: Headers): boolean =>
  accepts(headers["accept-encoding"] ?? "", ["gzip", "*"])

export const acceptsBrotli = (headers: Headers): boolean => accepts(headers["accept-encoding"] ?? "", ["br"])

const announcedSize = (headers: Headers): number => Number(headers["content-length"] ?? 0)

/** Whether a body comes with the request. */
const hasBody = (headers: Headers): boolean =>
  headers["transfer-encoding"] !== undefined || announcedSize(headers) > 0

/** What is wrong with the media type of a body that an endpoint is about to read as JSON. */
export const bodyFormProblem = (headers: Headers): Problem | undefined => {
  const contentType = headers["content-type"]
  const encoding = headers["content-encoding"]?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== "identity") {
    return { status: 415, message: "Content-Encoding: bodies must not be compressed" }
  }
  if (contentType === undefined ? hasBody(headers) : !jsonType.test(contentType)) {
    return { status: 415, message: "Content-Type: must be application/json" }
  }
  // Said at once, rather than after a megabyte; bodies without a length are counted as they come.
  return announcedSize(headers) > bodySizeMax ? bodyTooLarge : undefined
}

const jsonType = /^\s*application\/json\s*(?:;|$)/i

/**
 * Whether an `If-None-Match` header names the entity tag, so that the caller
 * already has it. Weak tags compare as strong ones.
 */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(",").some((each) => each.trim() === "*" || opaque(each.trim()) === opaque(etag))

const opaque = (tag: string): string => tag.replace(/^W\//, "")
