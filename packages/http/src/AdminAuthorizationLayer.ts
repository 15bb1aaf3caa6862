/**
 * Who calls the admin API: an operator by an admin key, or somebody who has
 * signed in, by the cookie of their browser. A key goes before a cookie.
 */
import { AdminAuthorization, AdminCaller, type Member, type Operator } from "@runhook/contract/Authorization"
import { Authentication, Unauthorized } from "@runhook/core/Authentication"
import { ConsoleSessions } from "@runhook/core/ConsoleSessions"
import { type ConsoleSession, idleExpiresAt } from "@runhook/core/domain/ConsoleSession"
import { CrossSiteRequest } from "@runhook/core/domain/Refusals"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { actingAs, adminActor } from "./Acting.ts"
import { BaseUrl } from "./BaseUrl.ts"
import { CallerSeen } from "./CallerSeen.ts"
import { isCrossSite } from "./CrossSite.ts"
import { CurrentSession } from "./CurrentSession.ts"
import { toApiError } from "./ErrorTable.ts"
import { FailedKeys } from "./FailedKeys.ts"
import { admit } from "./MemberAccess.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { StillOpen } from "./StillOpen.ts"

export const layer = Layer.effect(
  AdminAuthorization,
  Effect.gen(function* () {
    const authentication = yield* Authentication
    const baseUrl = yield* BaseUrl
    const sessions = yield* ConsoleSessions
    const { guard } = yield* FailedKeys

    /** The token of the cookie; null where a key decides instead. */
    const tokenOf = (request: HttpServerRequest.HttpServerRequest) =>
      request.headers.authorization === undefined ? SessionCookie.tokenOf(request, baseUrl) : null

    const open = Effect.fnUntraced(function* (
      token: Redacted.Redacted,
      request: HttpServerRequest.HttpServerRequest
    ) {
      const how = isWatching(request) ? "watching" : "using"
      const session = yield* guard(token, toApiError(sessions.open(token, how)))
      if (isCrossSite(request, baseUrl)) return yield* toApiError(new CrossSiteRequest())
      return session
    })

    return AdminAuthorization.of({
      adminKey: (handler, { credential }) =>
        Effect.gen(function* () {
          // Left to the cookie, without counting as a key that opens nothing.
          if (tokenOf(yield* HttpServerRequest.HttpServerRequest) !== null) {
            return yield* toApiError(new Unauthorized())
          }
          const place = yield* guard(credential, toApiError(authentication.adminKey(credential)))
          ;(yield* CallerSeen)(null)
          const operator: Operator = { _tag: "Operator", place }
          return yield* Effect.provideService(actingAs(adminActor(operator), handler), AdminCaller, operator)
        }),

      session: (handler, { endpoint }) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const token = tokenOf(request)
          if (token === null) return yield* toApiError(new Unauthorized())
          const session = yield* open(token, request)
          const member = memberOf(session)
          const accountId = yield* toApiError(admit(member, endpoint))
          ;(yield* CallerSeen)(accountId)
          return yield* actingAs(adminActor(member), handler).pipe(
            Effect.provideService(AdminCaller, member),
            Effect.provideService(CurrentSession, session),
            Effect.provideService(StillOpen, {
              id: session.id,
              opensUntil: Effect.map(sessions.open(token, "watching"), idleExpiresAt)
            })
          )
        })
    })
  })
)

const memberOf = ({ id, memberships, name }: ConsoleSession): Member => ({
  _tag: "Member",
  sessionId: id,
  name,
  memberships
})

/** The header by which the Integrations page says that nobody is at it: it keeps itself up to date, and no session alive. */
export const idleHeader = "x-runhook-idle"

const isWatching = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers[idleHeader] === "1" || headers["accept"]?.includes("text/event-stream") === true
