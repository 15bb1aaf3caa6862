/** Signing in to the Integrations page, and out of it. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { theService } from "@runhook/core/audit/Actor"
import type { BrowserSessions } from "@runhook/core/people/PersonSession"
import { CrossSiteRequest } from "@runhook/core/shared/Refusals"
import { IdentityProvider } from "@runhook/core/people/IdentityProvider"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { PersonSessions } from "@runhook/core/people/PersonSessions"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { actingAs } from "../authentication/Actors.ts"
import { isSentElsewhere } from "../authentication/CrossSite.ts"
import { currentSessions } from "../authentication/CurrentCaller.ts"
import { FailedKeys } from "../authentication/FailedKeys.ts"
import * as SessionCookie from "../authentication/SessionCookie.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { sessionDetail } from "./SessionToWire.ts"

/** The sessions with the names of its accounts. */
const shown = Effect.fnUntraced(function* (sessions: BrowserSessions) {
  const accounts = yield* Accounts
  const ids = sessions.map(({ accountId }) => accountId)
  const { items } = yield* accounts.listOf(ids, { after: null, limit: ids.length })
  return sessionDetail(sessions, items)
})

const SignInHandlers = handlersOf(
  AdminApi,
  "signIn",
  Effect.fnUntraced(function* (handle) {
    const baseUrl = yield* BaseUrl
    const provider = yield* IdentityProvider
    const services = yield* Effect.context<Accounts | BaseUrl>()
    const sessions = yield* PersonSessions
    const { guard } = yield* FailedKeys

    return handle({
      ways: () => Effect.succeed({ oidc: provider !== null }),

      begin: Effect.fnUntraced(function* ({ payload }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        // A site that signed its visitors in to its own account would see what they do there.
        if (isSentElsewhere(request.headers, baseUrl)) return yield* toApiError(new CrossSiteRequest())
        const token = Redacted.make(payload.token)
        const present = SessionCookie.tokenOf(request, baseUrl)
        const redeeming = actingAs(theService, sessions.redeem({ token, present }))
        const signedIn = yield* guard(request, token, toApiError(redeeming))
        yield* SessionCookie.keep(signedIn)
        return yield* shown(signedIn.sessions)
      }, Effect.provide(services))
    })
  })
)

const OwnSessionHandlers = handlersOf(
  AdminApi,
  "session",
  Effect.fnUntraced(function* (handle) {
    const services = yield* Effect.context<Accounts | BaseUrl>()
    const sessions = yield* PersonSessions

    return handle({
      get: () => currentSessions.pipe(Effect.flatMap(shown), toApiError, Effect.provide(services)),

      end: Effect.fnUntraced(
        function* ({ query }) {
          const own = yield* currentSessions
          yield* query.everywhere === "true" ? sessions.signOutEverywhere(own) : sessions.signOut(own)
          yield* SessionCookie.drop
        },
        toApiError,
        Effect.provide(services)
      )
    })
  })
)

export const SessionHandlers = Layer.merge(SignInHandlers, OwnSessionHandlers)
