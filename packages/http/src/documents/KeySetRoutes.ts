/** The public keys that verify evidence, for anyone: as a JSON Web Key Set, which has nothing of the request in it. */
import { keySetPath } from "@runhook/core/evidence/EvidenceKey"
import { Evidence } from "@runhook/core/evidence/Evidence"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { errorAnswer } from "../errors/ErrorAnswer.ts"
import { brokenRules } from "../errors/SchemaIssues.ts"
import { unreadParameters } from "../pipeline/request/QueryText.ts"

/** A new key is published before it signs; who meets an unknown one asks again. */
const headers = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { keySet } = yield* Evidence
    const answer = Effect.map(keySet, (text) =>
      HttpServerResponse.text(text, { contentType: "application/jwk-set+json", headers })
    )
    yield* router.add("GET", keySetPath, (request: HttpServerRequest) => {
      const unread = unreadParameters(request.url)
      return unread.length === 0 ? answer : errorAnswer({ status: 400, ...brokenRules(unread) })
    })
  })
)
