/** What callers with a key and members of an account do with executions alike. */
import type { resumingHeaders } from "@runhook/contract/openapi/EventForm"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { creatingQuery } from "@runhook/contract/executions/ExecutionEndpoints"
import type {
  CancelBody,
  CreateExecutionBody,
  creatingHeaders,
  RerunBody
} from "@runhook/contract/executions/ExecutionWire"
import type { historyQuery, RescheduleBody } from "@runhook/contract/executions/HistoryWire"
import type { AnswerBody } from "@runhook/contract/runs/InputWire"
import type { Artifact } from "@runhook/core/artifacts/Artifact"
import type { ExecutionId, InputId } from "@runhook/core/shared/Ids"
import type { ApiKeyRecord, Capability } from "@runhook/core/keys/ApiKeyRecord"
import { pageSizeDefault } from "@runhook/core/shared/Page"
import type { ExecutionNotFound, InvalidField, MissingCapability } from "@runhook/core/shared/Refusals"
import type { ApiKeyNotFound } from "@runhook/core/keys/ApiKeyStore"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import { Executions } from "@runhook/core/executions/Executions"
import type { FollowedHistory } from "@runhook/core/executions/history/FollowHistory"
import { Evidence } from "@runhook/core/evidence/Evidence"
import { History } from "@runhook/core/executions/history/History"
import { Inputs } from "@runhook/core/runs/Inputs"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { stillOpen } from "../authentication/CurrentCaller.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { eventStream, type EventText, noEvents, prefersEvents, textsOf } from "../documents/EventStream.ts"
import { toApiError, toCreateError } from "../errors/ErrorTable.ts"
import { createExecution } from "./CreateFromWire.ts"
import { executionStopped, inputItem, queued } from "./ExecutionToWire.ts"
import {
  eventItem,
  eventTextOf,
  explained,
  lineItem,
  lineTextOf,
  rescheduled,
  rescheduleRequest
} from "./HistoryToWire.ts"
import { countedPage, numberBehind } from "../shared/Listing.ts"
import type { Audience, Headed, Of, OfOne, Queried, Sent } from "../shared/Audience.ts"

/** Which executions the caller may reach, and how. */
interface ExecutionAudience<Path, Naming, Files, R> extends Audience<Path, Naming, R> {
  /** What an execution becomes that the caller stops. */
  readonly stopsAs: "aborted" | "cancelled"
  /** The key in whose name an execution is run again. */
  rerunnerOf(
    path: Path & { readonly id: ExecutionId },
    naming: Partial<Naming> | null
  ): Effect.Effect<ApiKeyRecord, ApiKeyNotFound | ExecutionNotFound | InvalidField | MissingCapability, R>
  /** What was captured, with links for the caller. */
  filesOf(captured: ReadonlyArray<Artifact>): Effect.Effect<Files, never, R>
}

type OfExecution<Path> = OfOne<Path, ExecutionId>

/** A request for what comes behind a number. */
type Behind<Path> = Headed<typeof resumingHeaders> & OfExecution<Path> & Queried<typeof historyQuery>

/** What a create and a rerun say of the request itself. */
const requestOf = ({ headers }: Headed<typeof creatingHeaders>) =>
  Effect.map(CurrentRequestId, (requestId) => ({
    idempotencyKey: headers["idempotency-key"],
    requestId,
    traceparent: headers.traceparent ?? null
  }))

const streamed = <Item>({ isOver, next }: FollowedHistory<Item>, show: (item: Item) => EventText) =>
  isOver ? Effect.succeed(noEvents) : eventStream(textsOf(next, Arr.map(show)))

export const executionHandlers = Effect.fnUntraced(function* <Path, Naming, Files, R>(
  who: ExecutionAudience<Path, Naming, Files, R>
) {
  const artifacts = yield* Artifacts
  const baseUrl = yield* BaseUrl
  const evidence = yield* Evidence
  const executions = yield* Executions
  const history = yield* History
  const inputs = yield* Inputs

  const refOf = (params: OfExecution<Path>["params"], capability: Capability) =>
    Effect.map(who.ownerOf(params, capability), ({ accountId, scope }) => ({
      accountId,
      scope,
      id: params.id
    }))

  const behind = Effect.fnUntraced(function* ({ headers, params, query }: Behind<Path>) {
    return {
      ...(yield* refOf(params, "executions:read")),
      after: headers["last-event-id"] ?? numberBehind(query),
      limit: query.limit ?? pageSizeDefault,
      wait: Duration.seconds(query.wait ?? 0),
      key: yield* stillOpen
    }
  })

  return {
    create: Effect.fnUntraced(function* ({
      params,
      payload,
      query,
      ...request
    }: Headed<typeof creatingHeaders> &
      Of<Path> &
      Queried<typeof creatingQuery> &
      Sent<typeof CreateExecutionBody, Naming>) {
      const caller = yield* who.keyOf(params, payload)
      const wanted = createExecution(payload)
      if (query.validate_only === "true") {
        yield* executions.validate(caller, wanted)
        return { would_create: true, status: "would_create" } as const
      }
      yield* who.changing(caller.accountId)
      return queued(yield* executions.create({ ...(yield* requestOf(request)), caller, request: wanted }))
    }, toCreateError),

    rerun: Effect.fnUntraced(function* ({
      params,
      payload,
      ...request
    }: Headed<typeof creatingHeaders> &
      OfExecution<Path> & { readonly payload: (Partial<Naming> & typeof RerunBody.Type) | null }) {
      const ref = yield* refOf(params, "executions:write")
      const caller = yield* who.rerunnerOf(params, payload)
      const again = yield* executions.rerun({
        ...(yield* requestOf(request)),
        ...ref,
        caller,
        version: payload?.version ?? "same",
        params: payload?.params
      })
      return queued(again)
    }, toCreateError),

    artifacts: Effect.fnUntraced(function* ({ params }: OfExecution<Path>) {
      const ref = yield* refOf(params, "artifacts:read")
      const { id, startedAt, status, stoppedAt } = yield* executions.get(ref)
      const files = yield* who.filesOf(yield* artifacts.list(ref))
      return { execution_id: id, status, started_at: startedAt, stopped_at: stoppedAt, ...files }
    }, toApiError),

    cancel: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfExecution<Path> & { readonly payload: typeof CancelBody.Type | null }) {
      const ref = yield* refOf(params, "executions:write")
      const reason = payload?.reason ?? null
      return executionStopped(yield* executions.stop({ ...ref, to: who.stopsAs, reason }))
    }, toApiError),

    release: Effect.fnUntraced(function* ({ params }: OfExecution<Path>) {
      const { id, status } = yield* executions.release(yield* refOf(params, "executions:write"))
      return { execution_id: id, status }
    }, toApiError),

    reschedule: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfExecution<Path> & Sent<typeof RescheduleBody>) {
      const ref = yield* refOf(params, "executions:write")
      return rescheduled(yield* executions.reschedule(ref, rescheduleRequest(payload)))
    }, toApiError),

    events: Effect.fnUntraced(function* (request: Behind<Path>) {
      const asked = yield* behind(request)
      if (yield* prefersEvents) return yield* streamed(yield* history.follow(asked), eventTextOf)
      const events = yield* history.events({ ...asked, limit: asked.limit + 1 })
      return yield* countedPage(events.map(eventItem), asked.limit)
    }, toApiError),

    logs: Effect.fnUntraced(function* (request: Behind<Path>) {
      const asked = yield* behind(request)
      if (yield* prefersEvents) return yield* streamed(yield* history.followLines(asked), lineTextOf)
      const lines = yield* history.lines({ ...asked, limit: asked.limit + 1 })
      return yield* countedPage(lines.map(lineItem), asked.limit)
    }, toApiError),

    explain: Effect.fnUntraced(function* ({ params }: OfExecution<Path>) {
      const ref = yield* refOf(params, "executions:read")
      return explained(ref.id, yield* history.explain(ref))
    }, toApiError),

    evidence: Effect.fnUntraced(function* ({ params }: OfExecution<Path>) {
      const ref = yield* refOf(params, "executions:read")
      return { evidence: yield* evidence.prove(ref, baseUrl) }
    }, toApiError),

    inputs: Effect.fnUntraced(function* ({ params }: OfExecution<Path>) {
      const asked = yield* inputs.list(yield* refOf(params, "executions:read"))
      return { data: asked.map(inputItem) }
    }, toApiError),

    /** To a question, whose id has a name of its own in each API's path. */
    answerTo: Effect.fnUntraced(function* (
      inputId: InputId,
      { params, payload }: OfExecution<Path> & Sent<typeof AnswerBody>
    ) {
      const ref = yield* refOf(params, "executions:write")
      const { id, status } = yield* inputs.answer({ ...ref, inputId, ...payload })
      return { execution_id: id, input_id: inputId, status }
    }, toApiError)
  }
})
