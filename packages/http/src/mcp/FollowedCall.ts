/** A call that follows its execution: what happens on the way, and at the end its result. */
import { Draining } from "@runhook/core/engine/Draining"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import type { Execution } from "@runhook/core/executions/Execution"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import type { Progress } from "@runhook/core/runs/Progress"
import { neverReported } from "@runhook/core/executions/history/HistoryStore"
import type { WaitingKey } from "@runhook/core/engine/LongPoll"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import type { Unauthorized } from "@runhook/core/keys/Authentication"
import { type ExecutionRef, Executions } from "@runhook/core/executions/Executions"
import { History } from "@runhook/core/executions/history/History"
import type { SignedOut } from "@runhook/core/people/PersonSessions"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { BaseUrl } from "../BaseUrl.ts"
import { beat, type EventText, eventText } from "../documents/EventStream.ts"
import { problemOf } from "../errors/FailureAnswer.ts"
import type { Call } from "../pipeline/Call.ts"
import { elicitation } from "./Elicitation.ts"
import { errorOf, type MessageId, notification, request, resultOf } from "./JsonRpc.ts"
import { inVersion, type Client } from "./Protocol.ts"
import { finished, isFinished, unfinished } from "./ToolResults.ts"

/** A proxy closes connections that are silent for a minute. */
const beatMillis = 15_000

export interface Followed {
  /** Of the call. */
  readonly id: MessageId
  readonly ref: ExecutionRef
  readonly client: Client
  readonly call: Call
  readonly key: WaitingKey<SignedOut | Unauthorized> | null
  /** How long it is followed. */
  readonly seconds: number
  /** Whether the tool promises a result of a certain form. */
  readonly hasPromised: boolean
  readonly mayReadFiles: boolean
  /** What becomes of it if the client closes the call before its end. */
  readonly whenClosed: Effect.Effect<void>
}

/** What a client was told last. */
interface LastTold {
  readonly shown: Shown | null
  /** How far, in percent: it must rise with each notification. */
  readonly progress: number
  /** The question it was asked. */
  readonly inputId: string | null
}

interface Shown {
  readonly execution: Execution
  readonly progress: Progress | null
}

const differs = (a: Shown | null, b: Shown): boolean =>
  a?.execution.status !== b.execution.status ||
  a.execution.inputRequest?.id !== b.execution.inputRequest?.id ||
  a.execution.attempt !== b.execution.attempt ||
  a.progress?.at.epochMilliseconds !== b.progress?.at.epochMilliseconds

/** The name of a question, by which every process knows what an answer is to. */
const questionId = (execution: ExecutionId, input: string): string => `input:${execution}:${input}`

export const makeFollowedCall = Effect.gen(function* () {
  const artifacts = yield* Artifacts
  const baseUrl = yield* BaseUrl
  const draining = yield* Draining
  const executions = yield* Executions
  const history = yield* History

  return (followed: Followed): Stream.Stream<EventText> => {
    const { call, hasPromised, id, key, mayReadFiles, ref, client, whenClosed } = followed
    let isOver = false

    const last = (text: EventText) => {
      isOver = true
      return [[text], Option.none<LastTold>()] as const
    }

    const ending = (result: JsonObject) => last(textOf(resultOf(id, inVersion(client, result))))

    const resultFor = Effect.fnUntraced(function* ({ execution, progress }: Shown) {
      if (!isFinished(execution)) return unfinished(execution, { hasPromised, progress })
      return finished(execution, { artifacts: mayReadFiles ? yield* artifacts.list(ref) : [], baseUrl })
    })

    const step = (until: number) =>
      Effect.fnUntraced(function* (told: LastTold) {
        const left = Math.max(0, until - (yield* Clock.currentTimeMillis))
        const shown = yield* executions.awaitNews(ref, Duration.millis(Math.min(left, beatMillis)), {
          key,
          show: (execution) =>
            Effect.map(history.progress(ref), (progress): Shown => ({
              execution,
              progress: progress ?? null
            })),
          isNews: (_, seen) => differs(told.shown, seen),
          knows: ({ progress }) => ({ reportedAt: progress?.at ?? neverReported })
        })
        const { execution } = shown
        const question = execution.status === "awaiting_input" ? execution.inputRequest : null
        if (question !== null && client.takesForms && client.isStateless) {
          const inputRequests = {
            [question.id]: { method: "elicitation/create", params: elicitation(question) }
          }
          return ending({ resultType: "input_required", inputRequests, requestState: execution.id })
        }
        const isLast = isFinished(execution) || left === 0 || (yield* draining.hasBegun)
        if (isLast) return ending(yield* resultFor(shown))
        const progress = Math.max(shown.progress?.percent ?? 0, told.progress + 0.01)
        const texts: Array<EventText> = []
        if (client.progressToken !== null && differs(told.shown, shown)) {
          const message = shown.progress?.message ?? shown.progress?.step ?? execution.status
          const said = { progressToken: client.progressToken, progress, total: 100, message }
          texts.push(textOf(notification("notifications/progress", said)))
        }
        const asks = question !== null && client.takesForms && question.id !== told.inputId
        if (asks) {
          const name = questionId(execution.id, question.id)
          texts.push(textOf(request(name, "elicitation/create", elicitation(question))))
        }
        const next: LastTold = { shown, progress, inputId: asks ? question.id : told.inputId }
        return [texts.length === 0 ? [beat] : texts, Option.some(next)] as const
      })

    const failing = <E extends Error>(cause: Cause.Cause<E>) => {
      const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
      const told = Effect.succeed(
        last(textOf(errorOf(id, "internal", failure?.message ?? problemOf(cause).message)))
      )
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause).pipe(Effect.orDie)
      return failure === undefined
        ? Effect.andThen(
            Effect.logError("Request failed", cause).pipe(Effect.annotateLogs({ request_id: call.id })),
            told
          )
        : told
    }

    const begin: LastTold = { shown: null, progress: 0, inputId: null }
    return Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (now) => {
        const next = step(now + followed.seconds * 1_000)
        return Stream.paginate(begin, (told) => Effect.catchCause(next(told), failing))
      })
    ).pipe(Stream.ensuring(Effect.suspend(() => (isOver ? Effect.void : whenClosed))))
  }
})

const textOf = (data: JsonObject): EventText => eventText({ event: "message", data: JSON.stringify(data) })
