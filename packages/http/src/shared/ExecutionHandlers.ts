/** What callers with a key and members of an account do with executions alike. */
import type { resumingHeaders } from "@runhook/contract/openapi/EventForm"
import type { CancelBody } from "@runhook/contract/wire/ExecutionWire"
import type { historyQuery, RescheduleBody } from "@runhook/contract/wire/HistoryWire"
import type { AnswerBody } from "@runhook/contract/wire/InputWire"
import type { InputId } from "@runhook/core/domain/Ids"
import type { Capability } from "@runhook/core/domain/keys/ApiKeyRecord"
import { pageSizeDefault } from "@runhook/core/domain/Page"
import type { MissingCapability } from "@runhook/core/domain/Refusals"
import { type ExecutionRef, Executions } from "@runhook/core/usecases/Executions"
import type { FollowedHistory } from "@runhook/core/usecases/FollowHistory"
import { Evidence } from "@runhook/core/usecases/Evidence"
import { History } from "@runhook/core/usecases/History"
import { Inputs } from "@runhook/core/usecases/Inputs"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { stillOpen } from "../authentication/CurrentCaller.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { eventStream, type EventText, noEvents, prefersEvents, textsOf } from "../documents/EventStream.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { executionStopped, inputItem } from "../wire/ExecutionToWire.ts"
import {
  eventItem,
  eventTextOf,
  explained,
  lineItem,
  lineTextOf,
  rescheduled,
  rescheduling
} from "../wire/HistoryToWire.ts"

/** Who calls: which executions they may reach, and what one becomes that they stop. */
interface Audience<Path, R> {
  /** The execution that the path names, if the caller has the capability. */
  ref(path: Path, capability: Capability): Effect.Effect<ExecutionRef, MissingCapability, R>
  readonly stopsAs: "aborted" | "cancelled"
}

interface OfOne<Path> {
  readonly params: Path
}

/** A request for what comes behind a number. */
interface Behind<Path> extends OfOne<Path> {
  readonly headers: Schema.Struct<typeof resumingHeaders>["Type"]
  readonly query: Schema.Struct<typeof historyQuery>["Type"]
}

const streamed = <Item>({ isOver, next }: FollowedHistory<Item>, show: (item: Item) => EventText) =>
  isOver ? noEvents : eventStream(textsOf(next, Arr.map(show)))

export const executionHandlers = Effect.fnUntraced(function* <Path, R>(who: Audience<Path, R>) {
  const baseUrl = yield* BaseUrl
  const evidence = yield* Evidence
  const executions = yield* Executions
  const history = yield* History
  const inputs = yield* Inputs

  const behind = Effect.fnUntraced(function* ({ headers, params, query }: Behind<Path>) {
    return {
      ...(yield* who.ref(params, "executions:read")),
      after: headers["last-event-id"] ?? query.after ?? 0,
      limit: query.limit ?? pageSizeDefault,
      wait: Duration.seconds(query.wait ?? 0),
      key: yield* stillOpen
    }
  })

  return {
    cancel: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfOne<Path> & { readonly payload: typeof CancelBody.Type | null }) {
      const ref = yield* who.ref(params, "executions:write")
      const reason = payload?.reason ?? null
      return executionStopped(yield* executions.stop({ ...ref, to: who.stopsAs, reason }))
    }, toApiError),

    release: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      const { id, status } = yield* executions.release(yield* who.ref(params, "executions:write"))
      return { execution_id: id, status }
    }, toApiError),

    reschedule: Effect.fnUntraced(function* ({
      params,
      payload
    }: OfOne<Path> & { readonly payload: typeof RescheduleBody.Type }) {
      const ref = yield* who.ref(params, "executions:write")
      return rescheduled(yield* executions.reschedule(ref, rescheduling(payload)))
    }, toApiError),

    events: Effect.fnUntraced(function* (request: Behind<Path>) {
      const asked = yield* behind(request)
      if (yield* prefersEvents) return streamed(yield* history.follow(asked), eventTextOf)
      return { data: (yield* history.events(asked)).map(eventItem) }
    }, toApiError),

    logs: Effect.fnUntraced(function* (request: Behind<Path>) {
      const asked = yield* behind(request)
      if (yield* prefersEvents) return streamed(yield* history.followLines(asked), lineTextOf)
      return { data: (yield* history.lines(asked)).map(lineItem) }
    }, toApiError),

    explain: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      const ref = yield* who.ref(params, "executions:read")
      return explained(ref.id, yield* history.explain(ref))
    }, toApiError),

    evidence: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      const ref = yield* who.ref(params, "executions:read")
      return { evidence: yield* evidence.prove(ref, baseUrl) }
    }, toApiError),

    inputs: Effect.fnUntraced(function* ({ params }: OfOne<Path>) {
      const asked = yield* inputs.list(yield* who.ref(params, "executions:read"))
      return { data: asked.map(inputItem) }
    }, toApiError),

    /** To a question, whose id has a name of its own in each API's path. */
    answerTo: Effect.fnUntraced(function* (
      inputId: InputId,
      { params, payload }: OfOne<Path> & { readonly payload: typeof AnswerBody.Type }
    ) {
      const ref = yield* who.ref(params, "executions:write")
      const { id, status } = yield* inputs.answer({ ...ref, inputId, ...payload })
      return { execution_id: id, input_id: inputId, status }
    }, toApiError)
  }
})
