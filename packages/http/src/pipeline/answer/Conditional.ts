/**
 * Answers that a caller may already have (RFC 9110, section 13). Their tags are
 * weak: every answer has its own request id, so no two have the same bytes, and the
 * tag promises only the same content.
 */
import { fingerprint } from "@runhook/core/signing/Fingerprint"
import * as Effect from "effect/Effect"
import * as Etag from "effect/http/Etag"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentCall } from "../Call.ts"
import { matchesEtag } from "./Negotiation.ts"

/** The tag of something that this name identifies, such as a version's id. */
export const tagOf = (name: string): string => Etag.toString({ _tag: "Weak", value: name })

/** The tag of what is shown, made of its text: it changes whenever any of that does. */
export const tagOfShown = (text: string): string => tagOf(fingerprint(text))

/** The `If-None-Match` of the current request. */
export const knownTags = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => headers["if-none-match"]
)

/** The body with its tag, or 304 if the caller has it. */
export const answerTagged = Effect.fnUntraced(function* <Body>(etag: string, body: Body) {
  if (matchesEtag(yield* knownTags, etag)) {
    return HttpServerResponse.empty({ status: 304, headers: { etag } })
  }
  ;(yield* CurrentCall).amend((answer) =>
    answer.status === 200 ? HttpServerResponse.setHeader(answer, "etag", etag) : answer
  )
  return body
})
