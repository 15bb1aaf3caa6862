/** The tasks and agents that an integration key may use. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { selectVersion } from "@runhook/core/catalog/VersionSelector"
import type { TaskId } from "@runhook/core/shared/Ids"
import { type ApiKeyRecord, mayUseTask } from "@runhook/core/keys/ApiKeyRecord"
import { ScopeViolation } from "@runhook/core/shared/Refusals"
import { Agents } from "@runhook/core/catalog/Agents"
import { Tasks } from "@runhook/core/catalog/Tasks"
import * as Effect from "effect/Effect"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { answerTagged, tagOf } from "../pipeline/answer/Conditional.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { agentItem, taskDetail, taskItem, taskText } from "./CatalogToWire.ts"
import { pageAnswer, pageBody, pageRequest } from "../shared/Paging.ts"

export const TaskHandlers = handlersOf(
  IntegrationApi,
  "tasks",
  Effect.fnUntraced(function* (handle) {
    const baseUrl = yield* BaseUrl
    const tasks = yield* Tasks

    return handle({
      list: Effect.fnUntraced(function* ({ query }) {
        const { accountId, allowedTaskIds } = yield* callerWith("catalog:read")
        const filter = { ids: allowedTaskIds, text: query.q ?? null, tag: query.tag ?? null }
        return yield* pageAnswer(pageRequest(query), {
          list: (page) => tasks.list(accountId, filter, page),
          toWire: taskItem,
          toText: taskText
        })
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        const caller = yield* callerWith("catalog:read")
        const ref = { accountId: caller.accountId, taskId: params.id }
        const view = yield* tasks.get(ref)
        yield* checkScope(caller, params.id)
        return taskDetail(view, baseUrl)
      }, toApiError),

      paramsSchema: Effect.fnUntraced(function* ({ params, query }) {
        const caller = yield* callerWith("catalog:read")
        const ref = { accountId: caller.accountId, taskId: params.id }
        const version = yield* tasks.resolve(ref, selectVersion(query))
        yield* checkScope(caller, params.id)
        // A version never changes, so its id is enough.
        return yield* answerTagged(tagOf(version.id), {
          task_id: params.id,
          task_version_id: version.id,
          version_number: version.number,
          schema: version.paramsSchema
        })
      }, toApiError)
    })
  })
)

export const AgentHandlers = handlersOf(
  IntegrationApi,
  "agents",
  Effect.fnUntraced(function* (handle) {
    const agents = yield* Agents

    return handle({
      list: Effect.fnUntraced(function* ({ query }) {
        const { accountId, allowedAgentIds } = yield* callerWith("catalog:read")
        return yield* pageBody(
          yield* agents.list({ accountId, ids: allowedAgentIds }, pageRequest(query)),
          agentItem
        )
      }, toApiError)
    })
  })
)

/** Another account's task is not found before it is forbidden. */
const checkScope = (caller: ApiKeyRecord, id: TaskId) =>
  mayUseTask(caller, id) ? Effect.void : Effect.fail(new ScopeViolation({ field: "task_id", id }))
