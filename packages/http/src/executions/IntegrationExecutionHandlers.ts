/** Integration callers and their executions. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import type { VideoArtifact } from "@runhook/contract/artifacts/ArtifactWire"
import { type Artifact, downloadGrantSeconds } from "@runhook/core/artifacts/Artifact"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import type { Capability } from "@runhook/core/keys/ApiKeyRecord"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import { Executions } from "@runhook/core/executions/Executions"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { callerWith, stillOpen } from "../authentication/CurrentCaller.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { answerTagged, knownTags, tagOfShown } from "../pipeline/answer/Conditional.ts"
import { CurrentLoopTurns } from "../limits/LoopTurns.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { keyHolder } from "../shared/Audience.ts"
import { cancelHandlers } from "../cancels/CancelHandlers.ts"
import { executionHandlers } from "./ExecutionHandlers.ts"
import { matchesEtag } from "../pipeline/answer/Negotiation.ts"
import { filterOf } from "./ExecutionFilters.ts"
import { detailText, executionDetail, executionItem, executionText, filesOf } from "./ExecutionToWire.ts"
import { pageAnswer, pageRequest } from "../shared/Paging.ts"
import { creatingAll } from "./CreateAll.ts"

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

    const { answerTo, ...shared } = yield* executionHandlers({
      ...keyHolder,
      stopsAs: "aborted",
      rerunnerOf: () => callerWith("executions:write"),
      filesOf: (captured) =>
        Effect.map(
          Effect.forEach(
            captured.filter(({ kind }) => kind === "video"),
            videoItem
          ),
          (videos) => ({ videos, ...filesOf(captured, baseUrl) })
        )
    })

    return handle({
      ...shared,
      ...(yield* cancelHandlers({ ...keyHolder, stopsAs: "aborted" })),

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
        const { detail } = yield* executions.awaitNews(named, Duration.seconds(query.wait ?? 0), {
          show: (execution) =>
            Effect.map(artifacts.list(named), (captured) => ({
              artifacts: captured.length,
              detail: executionDetail({ execution, artifacts: captured, baseUrl })
            })),
          // A caller that names what it has waits for anything different.
          isNews:
            known === undefined || query.wait === undefined
              ? undefined
              : (_, shown) => !matchesEtag(known, tagOfShown(detailText(shown.detail))),
          knows: (shown) => (known === undefined ? {} : { artifacts: shown.artifacts }),
          key: yield* stillOpen
        })
        return yield* answerTagged(tagOfShown(detailText(detail)), detail)
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
