/**
 * The bytes of artifacts, for hosts that keep them themselves. The grant in
 * the URL is the only key: one that is forged, expired or for something else
 * is 403, and what a good one speaks of but is gone is 404.
 */
import { type ByteRange, requestedRange } from "@runhook/core/domain/ByteRanges"
import { contentDisposition } from "@runhook/core/domain/ContentDisposition"
import { hostedFilesPath } from "@runhook/core/domain/Artifact"
import { type HostedFile, HostedFiles } from "@runhook/core/ports/HostedFiles"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { errorAnswer } from "./ErrorAnswer.ts"
import { matchesEtag } from "./Negotiation.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const files = yield* HostedFiles
    yield* router.add("PUT", hostedFilesPath, (request) => receive(files, request))
    yield* router.add("GET", hostedFilesPath, (request) => serve(files, request))
  })
)

/** Streams an upload to its place. Its limit is the size that was announced, which may be far above that of JSON. */
const receive = Effect.fnUntraced(
  function* (files: HostedFiles["Service"], request: HttpServerRequest.HttpServerRequest) {
    const bytes = request.headers["content-length"] === "0" ? Stream.empty : request.stream
    yield* files.receive({ grant: yield* grantOf, bytes: Stream.orDie(bytes) })
    return HttpServerResponse.empty({ status: 204 })
  },
  Effect.catchTags({
    GrantRefused: ({ message }) => errorAnswer({ status: 403, message }),
    StorageFull: ({ message }) =>
      errorAnswer({
        status: 503,
        message,
        details: { reason: "storage_full" },
        headers: { "retry-after": "60" }
      }),
    UploadMismatch: ({ message, reason }) => errorAnswer({ status: 422, message, details: { reason } })
  })
)

const serve = Effect.fnUntraced(
  function* (files: HostedFiles["Service"], request: HttpServerRequest.HttpServerRequest) {
    const file = yield* files.open(yield* grantOf)
    const headers = headersOf(file)
    if (matchesEtag(request.headers["if-none-match"], headers.etag)) {
      return HttpServerResponse.empty({ status: 304, headers })
    }
    const range = yield* Effect.fromResult(rangeOf(request, file, headers.etag))
    return HttpServerResponse.stream(file.read(range), {
      ...partOf(file, range, headers),
      contentType: file.contentType
    })
  },
  Effect.catchTags({
    GrantRefused: ({ message }) => errorAnswer({ status: 403, message }),
    FileMissing: ({ message }) => errorAnswer({ status: 404, message, details: { reason: "file_missing" } }),
    RangeUnsatisfiable: ({ message, sizeBytes }) =>
      errorAnswer({ status: 416, message, headers: { "content-range": `bytes */${sizeBytes}` } })
  })
)

const grantOf = Effect.map(HttpServerRequest.ParsedSearchParams, ({ grant }) =>
  typeof grant === "string" ? grant : ""
)

/** A range counts only for GET, and only of the very file that the caller has the beginning of. */
const rangeOf = (
  { headers, method }: HttpServerRequest.HttpServerRequest,
  { sizeBytes }: HostedFile,
  etag: string
) => {
  const condition = headers["if-range"]
  return method === "GET" && (condition === undefined || condition === etag)
    ? requestedRange(headers["range"], sizeBytes)
    : Result.succeed(null)
}

const partOf = ({ sizeBytes }: HostedFile, range: ByteRange | null, headers: Record<string, string>) =>
  range === null
    ? { status: 200, contentLength: sizeBytes, headers }
    : {
        status: 206,
        contentLength: range.end - range.start + 1,
        headers: { ...headers, "content-range": `bytes ${range.start}-${range.end}/${sizeBytes}` }
      }

/** What a runner uploaded may be hostile: it is shown without a script, a form or a guess at its type. */
const headersOf = ({ disposition, fileName, sha256 }: HostedFile) => ({
  "accept-ranges": "bytes",
  "cache-control": "private, no-cache",
  "content-disposition": contentDisposition(disposition, fileName),
  "content-security-policy": "sandbox; default-src 'none'",
  etag: `"${sha256}"`
})
