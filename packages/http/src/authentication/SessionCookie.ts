/** The cookie by which a browser says that somebody is signed in. */
import type { ConsoleSession } from "@runhook/core/domain/console/ConsoleSession"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"
import { BaseUrl } from "../BaseUrl.ts"
import { CurrentCall } from "../pipeline/Call.ts"

/**
 * A browser takes a cookie of the prefix from nobody but this very host, over
 * TLS alone. Without TLS there is no such thing, so the plain name serves there.
 */
export const cookieName = (baseUrl: string): string => (isSecure(baseUrl) ? "__Host-runhook" : "runhook")

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith("https:")

const optionsAt = (baseUrl: string) =>
  ({ path: "/", httpOnly: true, secure: isSecure(baseUrl), sameSite: "strict" }) as const

/** The token that a request carries; null without one. */
export const tokenOf = (
  { cookies }: Pick<HttpServerRequest.HttpServerRequest, "cookies">,
  baseUrl: string
): Redacted.Redacted | null => {
  const text = cookies[cookieName(baseUrl)]
  return text === undefined || text === "" ? null : Redacted.make(text, { label: "session token" })
}

/** Gives an answer the cookie of a session. */
export const withSession = (
  answer: HttpServerResponse.HttpServerResponse,
  baseUrl: string,
  { session, token }: { readonly session: ConsoleSession; readonly token: Redacted.Redacted }
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setCookieUnsafe(answer, cookieName(baseUrl), Redacted.value(token), {
    ...optionsAt(baseUrl),
    maxAge: DateTime.distance(session.signedInAt, session.expiresAt)
  })

/** Gives the answer to the current request the cookie of a session. */
export const keep = (signedIn: { readonly session: ConsoleSession; readonly token: Redacted.Redacted }) =>
  Effect.gen(function* () {
    const baseUrl = yield* BaseUrl
    ;(yield* CurrentCall).amend((answer) => withSession(answer, baseUrl, signedIn))
  })

/** Lets the answer to the current request take the cookie away. */
export const drop = Effect.gen(function* () {
  const baseUrl = yield* BaseUrl
  ;(yield* CurrentCall).amend((answer) =>
    HttpServerResponse.expireCookieUnsafe(answer, cookieName(baseUrl), optionsAt(baseUrl))
  )
})
