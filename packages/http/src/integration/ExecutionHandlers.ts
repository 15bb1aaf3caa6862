/** Integration callers and their executions. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { VideoArtifact } from "@runhook/contract/wire/ArtifactWire"
import { type Artifact, downloadGrantSeconds } from "@runhook/core/domain/artifact/Artifact"
import { pageSizeDefault } from "@runhook/core/domain/Page"
import { Artifacts } from "@runhook/core/usecases/Artifacts"
import { Executions } from "@runhook/core/usecases/Executions"
import { History } from "@runhook/core/usecases/History"
import { Inputs } from "@runhook/core/usecases/Inputs"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { callerWith, stillOpen } from "../authentication/CurrentCaller.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError, toCreateError } from "../errors/ErrorTable.ts"
import { answerTagged, knownTags, tagOfShown } from "../pipeline/Conditional.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { matchesEtag } from "../pipeline/Negotiation.ts"
import { filterOf } from "../wire/ExecutionFilters.ts"
import {
  created,
  detailText,
  executionDetail,
  executionItem,
  executionStopped,
  filesOf,
  inputItem,
  executionText,
  duplicate
} from "../wire/ExecutionToWire.ts"
import { eventItem, explained, rescheduled, rescheduling } from "../wire/HistoryToWire.ts"
import { pageAnswer, pageRequest } from "../wire/Paging.ts"
import { createExecution } from "./CreateFromWire.ts"

export const ExecutionHandlers = handlersOf(
  IntegrationApi,
  "executions",
  Effect.fnUntraced(function* (handle) {
    const artifacts = yield* Artifacts
    const baseUrl = yield* BaseUrl
    const executions = yield* Executions
    const history = yield* History
    const inputs = yield* Inputs

    const videoItem = (artifact: Artifact) =>
      Effect.map(artifacts.viewUrl(artifact), (signed_url): typeof VideoArtifact.Type => ({
        platform_id: artifact.platformId,
        handler: artifact.handler,
        started_offset_ms: artifact.startedOffsetMs,
        storage_key: artifact.storageKey,
        signed_url,
        expires_in_seconds: downloadGrantSeconds,
        error: null
      }))

    return handle({
      create: Effect.fnUntraced(function* ({ headers, payload, query }) {
        const caller = yield* callerWith("executions:write")
        const request = createExecution(payload)
        if (query.validate_only === "true") {
          yield* executions.validate(caller, request)
          return { would_create: true, status: "would_create" } as const
        }
        const { execution, isDuplicate } = yield* executions.create({
          caller,
          request,
          idempotencyKey: headers["idempotency-key"],
          requestId: yield* CurrentRequestId
        })
        return isDuplicate ? duplicate(execution) : created(execution)
      }, toCreateError),

      list: Effect.fnUntraced(function* ({ query }) {
        const { accountId } = yield* callerWith("executions:read")
        return yield* pageAnswer(pageRequest(query), {
          list: (page) => executions.list(accountId, filterOf(query), page),
          toWire: executionItem,
          toText: executionText
        })
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params, query }) {
        const { accountId } = yield* callerWith("executions:read")
        const ref = { accountId, id: params.id }
        const known = yield* knownTags
        const shown = yield* executions.awaitNews(ref, Duration.seconds(query.wait ?? 0), {
          show: (execution) =>
            Effect.map(artifacts.list(ref), (captured) =>
              executionDetail({ execution, artifacts: captured, baseUrl })
            ),
          // A caller that names what it has waits for anything different.
          isNews:
            known === undefined || query.wait === undefined
              ? undefined
              : (_, detail) => !matchesEtag(known, tagOfShown(detailText(detail))),
          key: yield* stillOpen
        })
        return yield* answerTagged(tagOfShown(detailText(shown)), {
          ...shown
        })
      }, toApiError),

      cancel: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId } = yield* callerWith("executions:write")
        const reason = payload?.reason ?? null
        const change = yield* executions.stop({ accountId, id: params.id, to: "aborted", reason })
        return executionStopped(change)
      }, toApiError),

      release: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* callerWith("executions:write")
        const { id, status } = yield* executions.release({ accountId, id: params.id })
        return { execution_id: id, status }
      }, toApiError),

      rerun: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const caller = yield* callerWith("executions:write")
        const { execution, isDuplicate } = yield* executions.rerun({
          accountId: caller.accountId,
          id: params.id,
          caller,
          version: payload?.version ?? "same",
          params: payload?.params,
          idempotencyKey: headers["idempotency-key"],
          requestId: yield* CurrentRequestId
        })
        return isDuplicate ? duplicate(execution) : created(execution)
      }, toCreateError),

      reschedule: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId } = yield* callerWith("executions:write")
        const ref = { accountId, id: params.id }
        const execution = yield* executions.reschedule(ref, rescheduling(payload))
        return rescheduled(execution)
      }, toApiError),

      events: Effect.fnUntraced(function* ({ params, query }) {
        const { accountId } = yield* callerWith("executions:read")
        const events = yield* history.events({
          accountId,
          id: params.id,
          after: query.after ?? 0,
          limit: query.limit ?? pageSizeDefault,
          wait: Duration.seconds(query.wait ?? 0),
          key: yield* stillOpen
        })
        return { data: events.map(eventItem) }
      }, toApiError),

      explain: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* callerWith("executions:read")
        const explanation = yield* history.explain({ accountId, id: params.id })
        return explained(params.id, explanation)
      }, toApiError),

      artifacts: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* callerWith("artifacts:read")
        const ref = { accountId, id: params.id }
        const { id, startedAt, status, stoppedAt } = yield* executions.get(ref)
        const captured = yield* artifacts.list(ref)
        const videos = captured.filter(({ kind }) => kind === "video")
        return {
          execution_id: id,
          status,
          started_at: startedAt,
          stopped_at: stoppedAt,
          videos: yield* Effect.forEach(videos, videoItem),
          ...filesOf(captured, baseUrl)
        }
      }, toApiError),

      file: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* callerWith("artifacts:read")
        const url = yield* artifacts.fileUrl({ accountId, id: params.id, artifactId: params.fileId })
        return HttpServerResponse.redirect(url)
      }, toApiError),

      inputs: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* callerWith("executions:read")
        const asked = yield* inputs.list({ accountId, id: params.id })
        return { data: asked.map(inputItem) }
      }, toApiError),

      answer: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId } = yield* callerWith("executions:write")
        const { id, status } = yield* inputs.answer({
          accountId,
          id: params.id,
          inputId: params.inputId,
          ...payload
        })
        return { execution_id: id, input_id: params.inputId, status }
      }, toApiError)
    })
  })
)
