/**
 * Who calls the admin API: an operator by an admin key, or a person who is signed
 * in, by a cookie. A key goes before a cookie.
 */
import { AdminCaller, type Member, type Operator } from "@runhook/contract/Authorization"
import { type BrowserSessions, type PersonSession, idleExpiresAt } from "@runhook/core/people/PersonSession"
import { CrossSiteRequest } from "@runhook/core/shared/Refusals"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { Authentication } from "@runhook/core/keys/Authentication"
import { PersonSessions, SignedOut } from "@runhook/core/people/PersonSessions"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import type { Owner } from "../limits/ResponseBudget.ts"
import type { Call } from "../pipeline/Call.ts"
import { adminActor } from "./Actors.ts"
import type { Authenticated } from "./Authenticated.ts"
import { AdminAuthenticator } from "./Authenticator.ts"
import { bearerOf } from "./Bearer.ts"
import { isCrossSite } from "./CrossSite.ts"
import { FailedKeys } from "./FailedKeys.ts"
import { admit, requireKnown } from "./MemberAccess.ts"
import * as SessionCookie from "./SessionCookie.ts"

type Admin = Operator | Member

const byAdminKey = (place: number, requires: Effect.Effect<unknown, unknown>): Authenticated<Admin> => {
  const operator: Operator = { _tag: "Operator", place }
  return {
    caller: operator,
    owner: null,
    actor: adminActor(operator),
    metered: { key: String(place), account: null, rateLimit: null, accountRate: null },
    stillOpen: null,
    requires,
    sessions: []
  }
}

const bySession = (
  session: PersonSession,
  sessions: BrowserSessions,
  owner: Owner,
  stillOpen: Authenticated<Admin>["stillOpen"]
): Authenticated<Admin> => {
  const member = memberOf(session, sessions)
  return {
    caller: member,
    owner,
    actor: adminActor(member),
    // A person has one rate in an account, however many sessions and links they make.
    metered: {
      key: `${session.accountId} ${session.person}`,
      account: session.accountId,
      rateLimit: null,
      accountRate: null
    },
    stillOpen,
    sessions
  }
}

export const layer = Layer.effect(
  AdminAuthenticator,
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const authentication = yield* Authentication
    const baseUrl = yield* BaseUrl
    const sessions = yield* PersonSessions
    const { guard } = yield* FailedKeys

    const byKey = Effect.fnUntraced(function* ({ request, url }: Call) {
      const presented = bearerOf(request.headers)
      const place = yield* guard(request, presented, toApiError(authentication.adminKey(presented)))
      return byAdminKey(place, Effect.provideService(toApiError(requireKnown(url)), Accounts, accounts))
    })

    const byCookie = Effect.fnUntraced(function* (call: Call, token: Redacted.Redacted) {
      const { endpoint, request } = call
      const how = isWatching(request) ? "watching" : "using"
      const found = yield* guard(request, token, toApiError(sessions.open(token, how)))
      if (isCrossSite(request, baseUrl)) return yield* toApiError(new CrossSiteRequest())
      const owner = endpoint === null ? null : yield* toApiError(admit(found, endpoint, call.url))
      const session = found.find(({ accountId }) => accountId === owner) ?? found[0]
      return bySession(session, found, owner, {
        id: session.id,
        opensUntil: Effect.flatMap(sessions.open(token, "watching"), (open) => {
          const still = open.find(({ id }) => id === session.id)
          return still === undefined ? new SignedOut() : Effect.succeed(idleExpiresAt(still))
        })
      })
    })

    return AdminAuthenticator.of({
      provides: AdminCaller,
      kind: "admin",
      authenticate: (call) => {
        if (call.request.headers.authorization !== undefined) return byKey(call)
        const token = SessionCookie.tokenOf(call.request, baseUrl)
        return token === null ? byKey(call) : byCookie(call, token)
      }
    })
  })
)

const memberOf = ({ id, name, person }: PersonSession, memberships: BrowserSessions): Member => ({
  _tag: "Member",
  sessionId: id,
  person,
  name,
  memberships
})

/**
 * The header with which the Integrations page says that no one is using it: it keeps itself up to date, but keeps no
 * session alive.
 */
const idleHeader = "x-runhook-idle"

const isWatching = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers[idleHeader] === "1" || headers["accept"]?.includes("text/event-stream") === true
