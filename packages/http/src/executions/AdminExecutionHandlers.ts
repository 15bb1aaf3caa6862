/** Operators, members, and the executions of an account. */
import { AdminApi } from "@runhook/contract/AdminApi"
import type { AccountId, ExecutionId } from "@runhook/core/shared/Ids"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import { type ExecutionRef, Executions } from "@runhook/core/executions/Executions"
import { type ExecutionView, History } from "@runhook/core/executions/history/History"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { stillOpen } from "../authentication/CurrentCaller.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { answerFile } from "../documents/FileAnswer.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { makeMembers } from "../shared/Audience.ts"
import { cancelHandlers } from "../cancels/CancelHandlers.ts"
import { executionHandlers } from "./ExecutionHandlers.ts"
import { visibilityOf } from "../shared/Visibility.ts"
import { filterOf } from "./ExecutionFilters.ts"
import { pageAnswer, pageRequest } from "../shared/Paging.ts"
import { progressItem, viewFiles, viewItem, viewText, viewVideos } from "./ExecutionViewToWire.ts"

export const ExecutionHandlers = handlersOf(
  AdminApi,
  "executions",
  Effect.fnUntraced(function* (handle) {
    const artifacts = yield* Artifacts
    const baseUrl = yield* BaseUrl
    const executions = yield* Executions
    const history = yield* History
    const members = yield* makeMembers

    const { answerTo, ...shared } = yield* executionHandlers({
      ...members,
      stopsAs: "cancelled",
      rerunnerOf: (path, naming) =>
        Effect.flatMap(executions.get(refOf(path)), ({ apiKeyId }) =>
          members.keyOf(path, { key_id: naming?.key_id ?? apiKeyId })
        ),
      filesOf: (captured) =>
        Effect.succeed({ videos: viewVideos(captured, baseUrl), ...viewFiles(captured, baseUrl) })
    })

    return handle({
      ...shared,
      ...(yield* cancelHandlers({ ...members, stopsAs: "cancelled" })),

      list: Effect.fnUntraced(function* ({ params, query }) {
        const id = params.account_id
        const { callback } = yield* visibilityOf(id)
        return yield* pageAnswer(pageRequest(query), {
          list: Effect.fnUntraced(function* (page) {
            const { hasMore, items } = yield* executions.list(id, filterOf(query), page)
            return { hasMore, items: yield* history.view(id, items) }
          }),
          toWire: (view: ExecutionView) => callback(viewItem(view)),
          toText: viewText
        })
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params, query }) {
        const ref = refOf(params)
        const execution = yield* executions.awaitNews(ref, Duration.seconds(query.wait ?? 0), {
          show: (found) => Effect.succeed(found),
          key: yield* stillOpen
        })
        const [view] = yield* history.view(ref.accountId, [execution])
        if (view === undefined) return yield* Effect.die(new Error(`Execution ${ref.id} has no view`))
        const { callback } = yield* visibilityOf(ref.accountId)
        const { id, ...shown } = callback(viewItem(view))
        return {
          execution_id: id,
          ...shown,
          progress: progressItem(yield* history.progress(ref)),
          ...viewFiles(yield* artifacts.list(ref), baseUrl)
        }
      }, toApiError),

      remove: Effect.fnUntraced(function* ({ params }) {
        yield* executions.remove(refOf(params))
      }, toApiError),

      file: Effect.fnUntraced(function* ({ params, query }) {
        const { artifact, read } = yield* artifacts.open({
          ...refOf(params),
          artifactId: params.file_id
        })
        return yield* answerFile({
          fileName: artifact.fileName,
          disposition: query.download === "true" ? "attachment" : "inline",
          sizeBytes: artifact.sizeBytes,
          sha256: artifact.sha256,
          read
        })
      }, toApiError),

      answer: (request) => answerTo(request.params.input_id, request)
    })
  })
)

interface Path {
  readonly account_id: AccountId
  readonly id: ExecutionId
}

const refOf = (path: Path): ExecutionRef => ({ accountId: path.account_id, id: path.id })
