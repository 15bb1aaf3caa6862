/** The tools of a key, page by page. */
import { selectVersion } from "@runhook/core/catalog/VersionSelector"
import { TaskId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import { Tasks } from "@runhook/core/catalog/Tasks"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import { errorOf, type Request, resultOf } from "./JsonRpc.ts"
import { inVersion, clientOf } from "./Protocol.ts"
import { ownTools, toolOf } from "./Tools.ts"

/** Tools on a page, each with two schemas of up to 64 KiB. */
export const toolsPerPage = 25

export const makeToolList = Effect.gen(function* () {
  const tasks = yield* Tasks

  const toolsOf = Effect.fnUntraced(function* (caller: ApiKeyRecord, after: TaskId | null) {
    const { accountId, allowedTaskIds: ids } = caller
    const page = yield* tasks.list(accountId, { ids, text: null, tag: null }, { after, limit: toolsPerPage })
    const tools = yield* Effect.forEach(page.items, (view) =>
      view.currentVersion === null || !view.task.enabled
        ? Effect.succeedNone
        : tasks.resolve({ accountId, taskId: view.task.id }, selectVersion({})).pipe(
            Effect.map((version) => toolOf(view, version)),
            // It was changed meanwhile.
            Effect.option
          )
    )
    const last = page.items.at(-1)
    return {
      tools: [...(after === null ? ownTools : []), ...tools.flatMap(Option.toArray)],
      ...(page.hasMore && last !== undefined ? { nextCursor: last.task.id } : {})
    }
  })

  /** Answers a request for a page. */
  return Effect.fnUntraced(function* ({ id, params }: Request) {
    const caller = yield* toApiError(callerWith("catalog:read"))
    const { cursor = null } = params
    if (cursor !== null && !Schema.is(TaskId)(cursor))
      return errorOf(id, "invalidParams", "cursor: must be a nextCursor of an earlier answer")
    const current = yield* CurrentCall
    const page = yield* current.share.read(toApiError(toolsOf(caller, cursor)))
    const { headers } = current.request
    return resultOf(id, inVersion(clientOf(params, headers), { ...page, ttlMs: 0, cacheScope: "private" }))
  })
})
