/** Compresses answers that may be compressed, where it saves more transfer time than it takes. */
import { Compressible } from "@runhook/contract/Compression"
import * as Context from "effect/Context"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { smallAnswerBytes } from "../../limits/ResponseBudget.ts"
import type { Call } from "../Call.ts"
import { acceptsGzip } from "./Negotiation.ts"

/** How the host compresses. Null, unless it does. */
export const Gzip = Context.Reference<((bytes: Uint8Array) => Uint8Array) | null>(
  "@runhook/http/pipeline/Gzip",
  { defaultValue: () => null }
)

/**
 * Fewer bytes are there with the first round trip anyhow. As many take 0.1 ms, and
 * are a fifth then.
 */
const compressedBytesMin = 16_384

/** The same answer, in fewer bytes if its caller takes them. More than a slice would hold others up. */
export const compressedBy =
  (gzip: (bytes: Uint8Array) => Uint8Array) =>
  (answer: HttpServerResponse.HttpServerResponse, call: Call): HttpServerResponse.HttpServerResponse => {
    const { body, status } = answer
    if (call.endpoint === null || !Context.get(call.endpoint.annotations, Compressible)) return answer
    if (body._tag !== "Uint8Array" || body.contentLength < compressedBytesMin) return answer
    if (body.contentLength > smallAnswerBytes) return answer
    const headers = { ...answer.headers, vary: "Accept-Encoding" }
    if (!acceptsGzip(call.request.headers)) return HttpServerResponse.setHeaders(answer, headers)
    return HttpServerResponse.uint8Array(gzip(body.body), {
      status,
      contentType: body.contentType,
      headers: { ...headers, "content-encoding": "gzip" }
    })
  }
