/**
 * Operators, and the people who are let in to the Integrations page. The token of a
 * link is revealed only here, in the answer that makes it.
 */
import { AdminApi } from "@runhook/contract/AdminApi"
import { linkNameDefault, linkSeconds } from "@runhook/core/people/SignInLink"
import { PersonSessions } from "@runhook/core/people/PersonSessions"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { linkUrl } from "../authentication/SignInPage.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"
import { linkItem, sessionItem } from "./SessionToWire.ts"

const ConsoleLinkHandlers = handlersOf(
  AdminApi,
  "consoleLinks",
  Effect.fnUntraced(function* (handle) {
    const baseUrl = yield* BaseUrl
    const sessions = yield* PersonSessions

    return handle({
      create: Effect.fnUntraced(function* ({ params, payload }) {
        const { link, token } = yield* sessions.makeLink({
          accountId: params.account_id,
          role: payload?.role ?? "admin",
          name: payload?.name ?? linkNameDefault,
          validFor: Duration.seconds(payload?.expires_in_seconds ?? linkSeconds.default)
        })
        return {
          id: link.id,
          person: link.person,
          url: linkUrl(baseUrl, token),
          expires_at: link.expiresAt
        }
      }, toApiError),

      list: Effect.fnUntraced(function* ({ params, query }) {
        const found = yield* sessions.listLinks(params.account_id, pageRequest(query))
        const at = yield* DateTime.now
        return yield* pageBody(found, (link) => linkItem(link, at))
      }, toApiError),

      withdraw: ({ params }) =>
        toApiError(sessions.withdrawLink({ accountId: params.account_id, id: params.link_id }))
    })
  })
)

const ConsoleSessionHandlers = handlersOf(
  AdminApi,
  "consoleSessions",
  Effect.fnUntraced(function* (handle) {
    const sessions = yield* PersonSessions

    return handle({
      list: Effect.fnUntraced(function* ({ params, query }) {
        return yield* pageBody(yield* sessions.list(params.account_id, pageRequest(query)), sessionItem)
      }, toApiError),

      end: ({ params }) => toApiError(sessions.end({ accountId: params.account_id, id: params.session_id })),

      endPerson: ({ params, query }) =>
        toApiError(sessions.endPerson({ accountId: params.account_id, person: query.person }))
    })
  })
)

export const PeopleHandlers = Layer.merge(ConsoleLinkHandlers, ConsoleSessionHandlers)
