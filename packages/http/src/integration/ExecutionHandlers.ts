/** Integration callers and their executions. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { VideoArtifact } from "@runhook/contract/wire/ArtifactWire"
import { type Artifact, downloadGrantSeconds } from "@runhook/core/domain/artifact/Artifact"
import type { ExecutionId } from "@runhook/core/domain/Ids"
import type { Capability } from "@runhook/core/domain/keys/ApiKeyRecord"
import { Artifacts } from "@runhook/core/usecases/Artifacts"
import { Executions } from "@runhook/core/usecases/Executions"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { callerWith, stillOpen } from "../authentication/CurrentCaller.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError, toCreateError } from "../errors/ErrorTable.ts"
import { answerTagged, knownTags, tagOfShown } from "../pipeline/Conditional.ts"
import { CurrentLoopTurns } from "../limits/LoopTurns.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { cancelHandlers } from "../shared/CancelHandlers.ts"
import { executionHandlers } from "../shared/ExecutionHandlers.ts"
import { matchesEtag } from "../pipeline/Negotiation.ts"
import { filterOf } from "../wire/ExecutionFilters.ts"
import {
  created,
  detailText,
  executionDetail,
  executionItem,
  filesOf,
  executionText,
  duplicate
} from "../wire/ExecutionToWire.ts"
import { pageAnswer, pageRequest } from "../wire/Paging.ts"
import { creatingAll } from "./CreateAll.ts"
import { createExecution } from "./CreateFromWire.ts"

export const ExecutionHandlers = handlersOf(
  IntegrationApi,
  "executions",
  Effect.fnUntraced(function* (handle) {
    const artifacts = yield* Artifacts
    const baseUrl = yield* BaseUrl
    const executions = yield* Executions

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

    const createAll = creatingAll(executions, yield* CurrentLoopTurns)

    const { answerTo, ...shared } = yield* executionHandlers({ ref, stopsAs: "aborted" })

    const { cancelMany, ...jobs } = yield* cancelHandlers({ of: ownJobs })

    return handle({
      ...shared,
      ...jobs,

      cancelAll: Effect.fnUntraced(function* ({ headers, payload }) {
        const caller = yield* callerWith("executions:write")
        const owner = {
          accountId: caller.accountId,
          apiKeyId: caller.id,
          endsAs: "aborted",
          idempotencyKey: headers["idempotency-key"] ?? null,
          scope: { taskIds: caller.allowedTaskIds, agentIds: caller.allowedAgentIds }
        } as const
        return yield* cancelMany(owner, payload, Effect.void)
      }, toApiError),

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
          requestId: yield* CurrentRequestId,
          traceparent: headers.traceparent ?? null
        })
        return isDuplicate ? duplicate(execution) : created(execution)
      }, toCreateError),

      createBatch: Effect.fnUntraced(function* ({ headers, payload }) {
        return { data: yield* createAll(payload.items, headers.traceparent ?? null) }
      }, toApiError),

      list: Effect.fnUntraced(function* ({ query }) {
        const { accountId } = yield* callerWith("executions:read")
        return yield* pageAnswer(pageRequest(query), {
          list: (page) => executions.list(accountId, filterOf(query), page),
          toWire: executionItem,
          toText: executionText
        })
      }, toApiError),

      get: Effect.fnUntraced(function* ({ params, query }) {
        const named = yield* ref(params, "executions:read")
        const known = yield* knownTags
        const shown = yield* executions.awaitNews(named, Duration.seconds(query.wait ?? 0), {
          show: (execution) =>
            Effect.map(artifacts.list(named), (captured) =>
              executionDetail({ execution, artifacts: captured, baseUrl })
            ),
          // A caller that names what it has waits for anything different.
          isNews:
            known === undefined || query.wait === undefined
              ? undefined
              : (_, detail) => !matchesEtag(known, tagOfShown(detailText(detail))),
          key: yield* stillOpen
        })
        return yield* answerTagged(tagOfShown(detailText(shown)), shown)
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
          requestId: yield* CurrentRequestId,
          traceparent: headers.traceparent ?? null
        })
        return isDuplicate ? duplicate(execution) : created(execution)
      }, toCreateError),

      artifacts: Effect.fnUntraced(function* ({ params }) {
        const named = yield* ref(params, "artifacts:read")
        const { id, startedAt, status, stoppedAt } = yield* executions.get(named)
        const captured = yield* artifacts.list(named)
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
        const named = yield* ref(params, "artifacts:read")
        const url = yield* artifacts.fileUrl({ ...named, artifactId: params.fileId })
        return HttpServerResponse.redirect(url)
      }, toApiError),

      answer: (request) => answerTo(request.params.inputId, request)
    })
  })
)

const ref = ({ id }: { readonly id: ExecutionId }, capability: Capability) =>
  Effect.map(callerWith(capability), ({ accountId }) => ({ accountId, id }))

/** Jobs of other keys are as unknown as those of other accounts. */
const ownJobs = (_: unknown, capability: Capability) =>
  Effect.map(callerWith(capability), ({ accountId, id }) => ({ accountId, apiKeyId: id }))
