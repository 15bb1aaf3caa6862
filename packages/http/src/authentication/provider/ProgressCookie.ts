/** What a browser keeps while it is at the provider, sealed: it can neither read nor forge it. */
import { SignInProgress } from "@runhook/core/people/IdentityProvider"
import type { KeyRing } from "@runhook/core/signing/KeyRing"
import * as SecretBox from "@runhook/core/signing/SecretBox"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { nameAt, placeAt } from "../CookiePlace.ts"

/** How long a sign-in at the provider may take. */
export const progressMax = Duration.minutes(10)

const Progress = Schema.Struct({ ...SignInProgress.fields, to: Schema.String })
type Progress = typeof Progress.Type

const Sealed = Schema.fromJsonString(Schema.Struct({ ...Progress.fields, until: Schema.Finite }))
const encode = Schema.encodeSync(Sealed)
const decode = Schema.decodeOption(Sealed)

const row = { purpose: "sign-in at a provider", id: "this browser" }

const cookieName = (baseUrl: string): string => nameAt(baseUrl, "runhook-oidc")

/** The provider's page leads back here, and browsers see that as another site's request: so not `strict`. */
const optionsAt = (baseUrl: string) => ({ ...placeAt(baseUrl), sameSite: "lax" }) as const

export const seal = Effect.fnUntraced(function* (ring: KeyRing, progress: Progress) {
  const until = DateTime.addDuration(yield* DateTime.now, progressMax).epochMilliseconds
  return yield* SecretBox.seal(ring, row, encode({ ...progress, until }))
})

/** None if there is none, it is too old, or it is forged. */
export const open = Effect.fnUntraced(function* (
  ring: KeyRing,
  { cookies }: Pick<HttpServerRequest.HttpServerRequest, "cookies">,
  baseUrl: string
): Effect.fn.Return<Option.Option<Progress>> {
  const now = (yield* DateTime.now).epochMilliseconds
  const opened = Result.getSuccess(SecretBox.open(ring, row, cookies[cookieName(baseUrl)] ?? ""))
  return Option.filter(Option.flatMap(opened, decode), ({ until }) => now < until)
})

export const withProgress =
  (baseUrl: string, cookie: string) =>
  (answer: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.setCookieUnsafe(answer, cookieName(baseUrl), cookie, {
      ...optionsAt(baseUrl),
      maxAge: progressMax
    })

export const without =
  (baseUrl: string) =>
  (answer: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.expireCookieUnsafe(answer, cookieName(baseUrl), optionsAt(baseUrl))
