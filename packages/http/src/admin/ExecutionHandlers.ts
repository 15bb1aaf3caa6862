/** Operators, members, and the executions of an account. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { AccountId, ExecutionId } from "@runhook/core/domain/Ids"
import type { ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import { Accounts } from "@runhook/core/usecases/Accounts"
import { actingKey } from "@runhook/core/usecases/ActingKeys"
import { Artifacts } from "@runhook/core/usecases/Artifacts"
import { type ExecutionRef, Executions } from "@runhook/core/usecases/Executions"
import { type ExecutionView, History } from "@runhook/core/usecases/History"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { stillOpen } from "../authentication/CurrentCaller.ts"
import { changing } from "../authentication/MemberAccess.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { answerFile } from "../documents/FileAnswer.ts"
import { toApiError, toCreateError } from "../errors/ErrorTable.ts"
import { createExecution } from "../integration/CreateFromWire.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { cancelHandlers } from "../shared/CancelHandlers.ts"
import { executionHandlers } from "../shared/ExecutionHandlers.ts"
import { filterOf } from "../wire/ExecutionFilters.ts"
import { created, duplicate } from "../wire/ExecutionToWire.ts"
import { pageAnswer, pageRequest } from "../wire/Paging.ts"
import { progressItem, viewFiles, viewItem, viewText, viewVideos } from "./ExecutionViewToWire.ts"
import { visibilityOf } from "./Visibility.ts"

export const ExecutionHandlers = handlersOf(
  AdminApi,
  "executions",
  Effect.fnUntraced(function* (handle) {
    const accounts = yield* Accounts
    const artifacts = yield* Artifacts
    const baseUrl = yield* BaseUrl
    const executions = yield* Executions
    const history = yield* History
    const keys = yield* Effect.context<ApiKeyStore>()

    const { answerTo, ...shared } = yield* executionHandlers({
      ref: (path: Path) => Effect.succeed(refOf(path)),
      stopsAs: "cancelled"
    })

    const { cancelMany, ...jobs } = yield* cancelHandlers({
      of: (path: Pick<Path, "account_id">) => Effect.succeed({ accountId: path.account_id, apiKeyId: null })
    })

    return handle({
      ...shared,
      ...jobs,

      cancelAll: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { id: accountId } = yield* accounts.get(params.account_id)
        const owner = {
          accountId,
          apiKeyId: null,
          endsAs: "cancelled",
          idempotencyKey: headers["idempotency-key"] ?? null,
          scope: { taskIds: null, agentIds: null }
        } as const
        return yield* cancelMany(owner, payload, changing(accountId))
      }, toApiError),

      create: Effect.fnUntraced(function* ({ headers, params, payload: { key_id, ...body }, query }) {
        const { id: accountId } = yield* accounts.get(params.account_id)
        const caller = yield* Effect.provide(actingKey(accountId, key_id), keys)
        const request = createExecution(body)
        if (query.validate_only === "true") {
          yield* executions.validate(caller, request)
          return { would_create: true, status: "would_create" } as const
        }
        yield* changing(accountId)
        const { execution, isDuplicate } = yield* executions.create({
          caller,
          request,
          idempotencyKey: headers["idempotency-key"],
          requestId: yield* CurrentRequestId,
          traceparent: headers.traceparent ?? null
        })
        return isDuplicate ? duplicate(execution) : created(execution)
      }, toCreateError),

      list: Effect.fnUntraced(function* ({ params, query }) {
        const { id } = yield* accounts.get(params.account_id)
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

      rerun: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const ref = refOf(params)
        const { apiKeyId } = yield* executions.get(ref)
        const caller = yield* Effect.provide(actingKey(ref.accountId, payload?.key_id ?? apiKeyId), keys)
        const { execution, isDuplicate } = yield* executions.rerun({
          ...ref,
          caller,
          version: payload?.version ?? "same",
          params: payload?.params,
          idempotencyKey: headers["idempotency-key"],
          requestId: yield* CurrentRequestId,
          traceparent: headers.traceparent ?? null
        })
        return isDuplicate ? duplicate(execution) : created(execution)
      }, toCreateError),

      artifacts: Effect.fnUntraced(function* ({ params }) {
        const ref = refOf(params)
        const { id, startedAt, status, stoppedAt } = yield* executions.get(ref)
        const captured = yield* artifacts.list(ref)
        return {
          execution_id: id,
          status,
          started_at: startedAt,
          stopped_at: stoppedAt,
          videos: viewVideos(captured, baseUrl),
          ...viewFiles(captured, baseUrl)
        }
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
