/**
 * Signing in at the operator's provider: there and back. The state in between is
 * sealed in a cookie of the browser that began, so any process may finish what
 * another began, and no other browser can.
 */
import { theService } from "@runhook/core/audit/Actor"
import {
  type AccessRule,
  type IdentityClaims,
  membershipsOf,
  personOf
} from "@runhook/core/people/IdentityClaims"
import { IdentityProvider, SignInFailed } from "@runhook/core/people/IdentityProvider"
import { ServiceKeys } from "@runhook/core/Settings"
import { PersonSessions, type NoAccount } from "@runhook/core/people/PersonSessions"
import * as Context from "effect/Context"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { BaseUrl, linkTo } from "../../BaseUrl.ts"
import { errorAnswer } from "../../errors/ErrorAnswer.ts"
import { actingAs } from "../Actors.ts"
import * as ProgressCookie from "./ProgressCookie.ts"
import * as ProviderLimits from "./ProviderLimits.ts"
import * as SessionCookie from "../SessionCookie.ts"
import { consolePath, signInPath } from "../SignInPage.ts"

/** Who gets which accounts. */
export const AccessRules = Context.Reference<ReadonlyArray<AccessRule>>("@runhook/http/AccessRules", {
  defaultValue: () => []
})

const startPath = `${consolePath}/oidc/start`
const callbackPath = `${consolePath}/oidc/callback`

const none = { status: 404, message: "There is no provider to sign in at: see RUNHOOK_OIDC_ISSUER" }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const baseUrl = yield* BaseUrl
    const provider = yield* IdentityProvider
    const ring = yield* ServiceKeys
    const rules = yield* AccessRules
    const sessions = yield* PersonSessions
    const services = yield* Effect.context<SecureRandom>()
    const askInLine = yield* ProviderLimits.make

    /** Back to the page, which explains the problem. */
    const failed = (problem: string) =>
      HttpServerResponse.redirect(`${baseUrl}${signInPath}?problem=${problem}`).pipe(
        ProgressCookie.without(baseUrl)
      )

    const begin = Effect.fnUntraced(function* (at: NonNullable<IdentityProvider>) {
      const to = pathWithin((yield* HttpServerRequest.HttpServerRequest).url, baseUrl)
      const { progress, url } = yield* at.begin({ redirectUri: baseUrl + callbackPath })
      const cookie = yield* ProgressCookie.seal(ring, { ...progress, to })
      return HttpServerResponse.redirect(url).pipe(ProgressCookie.withProgress(baseUrl, cookie))
    }, Effect.provide(services))

    const signIn = Effect.fnUntraced(function* (claims: IdentityClaims, to: string) {
      const identity = { ...personOf(claims), memberships: membershipsOf(rules, claims) }
      const present = SessionCookie.tokenOf(yield* HttpServerRequest.HttpServerRequest, baseUrl)
      const signedIn = yield* actingAs(theService, sessions.signIn({ identity, present })).pipe(
        Effect.tapError(({ message }) => Effect.logWarning(`${message}: ${toldOf(claims)}`))
      )
      const answer = HttpServerResponse.redirect(new URL(to, baseUrl).href).pipe(
        ProgressCookie.without(baseUrl)
      )
      return SessionCookie.withSession(answer, baseUrl, signedIn)
    })

    const finish = Effect.fnUntraced(function* (at: NonNullable<IdentityProvider>) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const found = yield* ProgressCookie.open(ring, request, baseUrl)
      const url = baseUrl + request.url
      if (Option.isNone(found) || found.value.state !== stateIn(url)) {
        return yield* new SignInFailed({ reason: "stale", detail: "This browser has not begun it lately" })
      }
      const { to, ...progress } = found.value
      const { state } = progress
      const claims = yield* askInLine({ request, state }, at.finish({ url, progress }))
      return yield* signIn(claims, to)
    })

    const answering = <R>(
      step: (
        at: NonNullable<IdentityProvider>
      ) => Effect.Effect<HttpServerResponse.HttpServerResponse, NoAccount | SignInFailed, R>
    ) =>
      provider === null
        ? errorAnswer(none)
        : step(provider).pipe(
            Effect.catchTags({
              NoAccount: () => Effect.succeed(failed("no_account")),
              SignInFailed: ({ message, reason }) => {
                const isTheirs = reason === "refused" || reason === "stale"
                const told = isTheirs ? Effect.logInfo(message) : Effect.logWarning(message)
                return Effect.as(told, failed(reason))
              }
            })
          )

    yield* router.add("GET", startPath, answering(begin))
    yield* router.add("GET", callbackPath, answering(finish))
  })
)

/** The state that the provider led back with; undefined unless there is one. */
const stateIn = (url: string): string | undefined => {
  const [state, ...more] = URL.parse(url)?.searchParams.getAll("state") ?? []
  return more.length === 0 ? state : undefined
}

/** What the provider says of a person whom no rule lets in, without their own words. */
const toldOf = ({ groups, verifiedEmail }: IdentityClaims): string =>
  `their address is ${verifiedEmail === null ? "not verified" : "verified"}, their groups are ${groups.length}`

/** The view that the person wanted; the first one if it is not a view of the page. */
const pathWithin = (url: string, baseUrl: string): string => {
  const to = URL.parse(url, baseUrl)?.searchParams.get("to") ?? ""
  const first = linkTo(baseUrl, consolePath)
  const place = URL.parse(to, baseUrl)
  const isWithin = place?.origin === new URL(baseUrl).origin && `${place.pathname}/`.startsWith(`${first}/`)
  return isWithin ? place.pathname + place.search : first
}
