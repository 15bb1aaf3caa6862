/**
 * A file as an answer: whole, in part, or 304 if the caller has it. Its bytes decide its type, never what the runner
 * said: a browser shows what is known to be harmless, and saves the rest.
 */
import { type ByteRange, requestedRange } from "@runhook/core/artifacts/ByteRanges"
import { contentDisposition, type Disposition } from "@runhook/core/artifacts/ContentDisposition"
import { beginningBytes, shownAs } from "@runhook/core/artifacts/ShownMediaType"
import type { FileMissing } from "@runhook/core/artifacts/ArtifactStorage"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { errorAnswer } from "../errors/ErrorAnswer.ts"
import { matchesEtag } from "../pipeline/answer/Negotiation.ts"

export interface AnsweredFile {
  readonly fileName: string
  /** What a browser should do with it, if it may be shown at all. */
  readonly disposition: Disposition
  readonly sizeBytes: number
  readonly sha256: string
  /** The bytes, or a part of them. */
  read(range: ByteRange | null): Stream.Stream<Uint8Array, FileMissing>
}

/** Answers the file to the current request. */
export const answerFile = Effect.fnUntraced(
  function* (file: AnsweredFile) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const type = yield* shownTypeOf(file)
    const headers = headersOf(file, type)
    if (matchesEtag(request.headers["if-none-match"], headers.etag)) {
      return HttpServerResponse.empty({ status: 304, headers })
    }
    const range = yield* Effect.fromResult(rangeOf(request, file, headers.etag))
    return HttpServerResponse.stream(file.read(range), {
      ...partOf(file, range, headers),
      contentType: type ?? "application/octet-stream"
    })
  },
  Effect.catchTag("RangeUnsatisfiable", ({ message, sizeBytes }) =>
    errorAnswer({ status: 416, message, headers: { "content-range": `bytes */${sizeBytes}` } })
  )
)

/** The media type to show it as; null if it is to be saved. */
const shownTypeOf = Effect.fnUntraced(function* ({ read, sizeBytes }: AnsweredFile) {
  if (sizeBytes === 0) return null
  const end = Math.min(beginningBytes, sizeBytes) - 1
  const beginning = yield* Stream.mkUint8Array(read({ start: 0, end }))
  return shownAs(beginning)
})

/** A range counts only for GET, and only if the caller's part is of this very file. */
const rangeOf = (
  { headers, method }: HttpServerRequest.HttpServerRequest,
  { sizeBytes }: AnsweredFile,
  etag: string
) => {
  const condition = headers["if-range"]
  return method === "GET" && (condition === undefined || condition === etag)
    ? requestedRange(headers["range"], sizeBytes)
    : Result.succeed(null)
}

const partOf = ({ sizeBytes }: AnsweredFile, range: ByteRange | null, headers: Record<string, string>) =>
  range === null
    ? { status: 200, contentLength: sizeBytes, headers }
    : {
        status: 206,
        contentLength: range.end - range.start + 1,
        headers: { ...headers, "content-range": `bytes ${range.start}-${range.end}/${sizeBytes}` }
      }

/** An uploaded file may be hostile: it is shown without scripts, forms or a guess at its type. */
const headersOf = ({ disposition, fileName, sha256 }: AnsweredFile, type: string | null) => ({
  "accept-ranges": "bytes",
  "cache-control": "private, no-cache",
  "content-disposition": contentDisposition(type === null ? "attachment" : disposition, fileName),
  "content-security-policy": "sandbox; default-src 'none'",
  etag: `"${sha256}"`
})
