/**
 * A document that never changes while the process runs: made at its first request,
 * compressed once, revalidated by its tag.
 */
import { fingerprint } from "@runhook/core/signing/Fingerprint"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { acceptsGzip, matchesEtag } from "../pipeline/answer/Negotiation.ts"

export interface CachedDocument {
  readonly contentType: string
  readonly text: Effect.Effect<string>
  readonly headers?: Readonly<Record<string, string>>
}

/** Does it when its result is first needed, and then keeps that. What failed is tried again. */
export const whenNeeded = <A, E, R>(make: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.context<R>(), (services) =>
    Effect.cachedWithTTL(Effect.provide(make, services), (exit) =>
      Exit.isSuccess(exit) ? Duration.infinity : Duration.zero
    )
  )

/** The handler that serves it. */
export const serveCached = Effect.fnUntraced(function* (document: CachedDocument) {
  const made = yield* whenNeeded(Effect.flatMap(document.text, prepare))
  return Effect.gen(function* () {
    const { gzipped, plain, tag } = yield* made
    const request = yield* HttpServerRequest.HttpServerRequest
    const isGzipped = acceptsGzip(request.headers)
    const etag = isGzipped ? `"${tag}-gzip"` : `"${tag}"`
    const headers = { "cache-control": "no-cache", vary: "Accept-Encoding", etag, ...document.headers }
    if (matchesEtag(request.headers["if-none-match"], etag)) {
      return HttpServerResponse.empty({ status: 304, headers })
    }
    return HttpServerResponse.uint8Array(isGzipped ? gzipped : plain, {
      contentType: document.contentType,
      headers: isGzipped ? { ...headers, "content-encoding": "gzip" } : headers
    })
  })
})

const prepare = Effect.fnUntraced(function* (text: string) {
  const plain = new TextEncoder().encode(text)
  return { plain, gzipped: yield* gzip(plain), tag: fingerprint(text) }
})

const gzip = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })
