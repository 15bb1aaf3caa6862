/** Operators and tasks. */
import { AdminApi } from "@runhook/contract/AdminApi"
import type { TaskView } from "@runhook/core/catalog/Task"
import type { AccountId, TaskId } from "@runhook/core/shared/Ids"
import { type TaskRef, Tasks } from "@runhook/core/catalog/Tasks"
import * as Effect from "effect/Effect"
import { changing } from "../authentication/MemberAccess.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { taskDetail, taskItem, taskText, versionDetail, versionInfo } from "./CatalogToWire.ts"
import { pageAnswer, pageBody, pageRequest } from "../shared/Paging.ts"
import { newTask, newVersion, taskChange } from "./TaskFromWire.ts"

const all = { ids: null, text: null, tag: null }

export const TaskHandlers = handlersOf(
  AdminApi,
  "tasks",
  Effect.fnUntraced(function* (handle) {
    const baseUrl = yield* BaseUrl
    const tasks = yield* Tasks

    const detail = (view: TaskView) => taskDetail(view, baseUrl)

    return handle({
      create: Effect.fnUntraced(function* ({ params, payload }) {
        return detail(yield* tasks.create(newTask(params.account_id, payload)))
      }, toApiError),

      list: Effect.fnUntraced(function* ({ params, query }) {
        return yield* pageAnswer(pageRequest(query), {
          list: (page) => tasks.list(params.account_id, all, page),
          toWire: taskItem,
          toText: taskText
        })
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params }) {
        return detail(yield* tasks.get(refOf(params)))
      }, toApiError),

      update: Effect.fnUntraced(function* ({ params, payload }) {
        return detail(yield* tasks.update(refOf(params), taskChange(payload)))
      }, toApiError),

      publish: Effect.fnUntraced(function* ({ params, payload, query }) {
        if (query.validate_only === "true") {
          const warnings = yield* tasks.check(refOf(params), newVersion(payload))
          return { would_publish: true as const, warnings }
        }
        yield* changing(params.account_id)
        const version = yield* tasks.publish(refOf(params), newVersion(payload))
        return { ...versionInfo(version), warnings: version.warnings }
      }, toApiError),

      versions: Effect.fnUntraced(function* ({ params, query }) {
        return yield* pageBody(yield* tasks.versions(refOf(params), pageRequest(query)), versionInfo)
      }, toApiError),

      version: Effect.fnUntraced(function* ({ params }) {
        const view = yield* tasks.get(refOf(params))
        const version = yield* tasks.resolve(refOf(params), { _tag: "ById", id: params.version_id })
        return versionDetail(view, version)
      }, toApiError),

      moveTag: Effect.fnUntraced(function* ({ params, payload }) {
        const tag = { ...refOf(params), name: params.name, versionId: payload.version_id }
        return detail(yield* tasks.moveTag(tag))
      }, toApiError),

      removeTag: Effect.fnUntraced(function* ({ params }) {
        yield* tasks.removeTag({ ...refOf(params), name: params.name })
      }, toApiError),

      setCurrent: Effect.fnUntraced(function* ({ params, payload }) {
        const version = { ...refOf(params), versionId: payload.version_id }
        return detail(yield* tasks.setCurrent(version))
      }, toApiError)
    })
  })
)

const refOf = (params: { readonly account_id: AccountId; readonly task_id: TaskId }): TaskRef => ({
  accountId: params.account_id,
  taskId: params.task_id
})
