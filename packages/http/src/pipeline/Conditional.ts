/**
 * Answers that a caller may have already (RFC 9110, section 13). Their tags
 * are weak: every answer has a request id of its own, so that no two are the
 * same bytes, and it is for what they tell of the thing that they are asked.
 */
import { fingerprint } from "@runhook/core/signing/Fingerprint"
import * as Effect from "effect/Effect"
import * as Etag from "effect/http/Etag"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { matchesEtag } from "./Negotiation.ts"
import { CurrentCall } from "./Call.ts"

/** The tag of something that this name alone tells from any other, as a version's id does. */
export const tagOf = (name: string): string => Etag.toString({ _tag: "Weak", value: name })

/** The tag of what is shown, by its text: it changes whenever any of it does. */
export const tagOfShown = (text: string): string => tagOf(fingerprint(text))

/** The `If-None-Match` of the current request. */
export const knownTags = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) => headers["if-none-match"]
)

/** The body under its tag, or 304 when the caller has it. */
export const answerTagged = Effect.fnUntraced(function* <Body>(etag: string, body: Body) {
  if (matchesEtag(yield* knownTags, etag)) {
    return HttpServerResponse.empty({ status: 304, headers: { etag } })
  }
  ;(yield* CurrentCall).amend((answer) =>
    answer.status === 200 ? HttpServerResponse.setHeader(answer, "etag", etag) : answer
  )
  return body
})
