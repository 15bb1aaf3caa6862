/** The cookie of a person's session. */
import { lastOf } from "@runhook/core/people/PersonSession"
import type { SignedIn } from "@runhook/core/people/PersonSessions"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"
import { BaseUrl } from "../BaseUrl.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import { nameAt, placeAt } from "./CookiePlace.ts"

const cookieName = (baseUrl: string): string => nameAt(baseUrl, "runhook")

const optionsAt = (baseUrl: string) => ({ ...placeAt(baseUrl), sameSite: "strict" }) as const

/** The token of a request; null without one. */
export const tokenOf = (
  { cookies }: Pick<HttpServerRequest.HttpServerRequest, "cookies">,
  baseUrl: string
): Redacted.Redacted | null => {
  const text = cookies[cookieName(baseUrl)]
  return text === undefined || text === "" ? null : Redacted.make(text, { label: "session token" })
}

/** Sets the cookie of new sessions on an answer. */
export const withSession = (
  answer: HttpServerResponse.HttpServerResponse,
  baseUrl: string,
  { sessions, token }: SignedIn
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(answer, cookieName(baseUrl), Redacted.value(token), {
    ...optionsAt(baseUrl),
    maxAge: DateTime.distance(
      sessions[0].signedInAt,
      lastOf(sessions, ({ expiresAt }) => expiresAt)
    )
  })

/** Sets the cookie of a session on the answer to the current request. */
export const keep = (signedIn: SignedIn) =>
  Effect.gen(function* () {
    const baseUrl = yield* BaseUrl
    ;(yield* CurrentCall).amend((answer) => withSession(answer, baseUrl, signedIn))
  })

/** Removes the cookie with the answer to the current request. */
export const drop = Effect.gen(function* () {
  const baseUrl = yield* BaseUrl
  ;(yield* CurrentCall).amend((answer) =>
    HttpServerResponse.expireCookieUnsafe(answer, cookieName(baseUrl), optionsAt(baseUrl))
  )
})
