/** Operators and runners. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { RunnerSessionItem } from "@runhook/contract/runs/RunnerSessionWire"
import {
  isPresent,
  type RunnerSession,
  type RunnerSessionView,
  takesNoMore
} from "@runhook/core/runs/sessions/RunnerSession"
import { RunnerSessions } from "@runhook/core/runs/sessions/RunnerSessions"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { showing } from "../shared/Names.ts"
import { pageBody, pageRequest } from "../shared/Paging.ts"

export const RunnerSessionHandlers = handlersOf(
  AdminApi,
  "runnerSessions",
  Effect.fnUntraced(function* (handle) {
    const sessions = yield* RunnerSessions

    const pageOf = Effect.fnUntraced(function* (
      options: Parameters<typeof sessions.list>[0],
      page: Parameters<typeof pageRequest>[0]
    ) {
      const found = yield* sessions.list(options, pageRequest(page))
      const at = yield* DateTime.now
      return yield* pageBody(found, (view) => sessionItem(view, at))
    })

    return handle({
      list: Effect.fnUntraced(function* ({ params, query }) {
        return yield* pageOf({ accountId: params.account_id, agentId: null }, query)
      }, toApiError),

      ofAgent: Effect.fnUntraced(function* ({ params, query }) {
        return yield* pageOf({ accountId: params.account_id, agentId: params.agent_id }, query)
      }, toApiError),

      drain: Effect.fnUntraced(function* ({ params }) {
        const ref = { accountId: params.account_id, id: params.session_id }
        const { drainRequestedAt, id } = yield* sessions.drain(ref)
        return {
          id,
          drain_requested_at: drainRequestedAt ?? (yield* DateTime.now)
        }
      }, toApiError)
    })
  })
)

const sessionItem = ({ busy, session }: RunnerSessionView, at: DateTime.Utc) =>
  shownSession({
    ...session,
    busy,
    status: isPresent(session, at) ? (takesNoMore(session) ? "draining" : "online") : "silent"
  })

const shownSession = showing(RunnerSessionItem)<
  RunnerSession & Pick<typeof RunnerSessionItem.Type, "busy" | "status">
>({})
