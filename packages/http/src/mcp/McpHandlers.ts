/**
 * The endpoint of the Model Context Protocol (Streamable HTTP). Each message is
 * handled by itself, in whichever process it reaches: sessions are names, an answer
 * to a question names its execution, and a call is found again by its reference.
 */
import { McpApi } from "@runhook/contract/McpApi"
import { ExecutionId, InputId } from "@runhook/core/shared/Ids"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { Executions } from "@runhook/core/executions/Executions"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type { Headers } from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { isSentElsewhere } from "../authentication/CrossSite.ts"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { BaseUrl } from "../BaseUrl.ts"
import { eventStream } from "../documents/EventStream.ts"
import { isApiError } from "../errors/ApiErrors.ts"
import { errorAnswerTo, type Problem } from "../errors/ErrorAnswer.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { acceptsEvents } from "../pipeline/answer/Negotiation.ts"
import { jsonAnswer } from "../pipeline/answer/ResponseBodies.ts"
import { errorOf, isId, type Message, messageOf, resultOf } from "./JsonRpc.ts"
import * as Protocol from "./Protocol.ts"
import type { ToolCall } from "./TaskCalls.ts"
import { changedBy, makeToolCalls } from "./ToolCalls.ts"
import { makeToolList } from "./ToolList.ts"
import { failedWith } from "./ToolResults.ts"

/** The longest reason of a cancel. */
const reasonLengthMax = 500

/** Characters of a method's name that an error repeats. */
const methodLengthMax = 100

/** A cancel may overtake the call that it is about. */
const overtaken = Schedule.spaced("400 millis").pipe(Schedule.upTo({ times: 5 }))

const elsewhere: Problem = {
  status: 403,
  message: "Origin: pages of other sites must not call this",
  details: { reason: "cross_site" }
}

const noEvents: Problem = { status: 406, message: "Accept: must allow text/event-stream" }

/** A message that needs no answer was taken. */
const taken = HttpServerResponse.empty({ status: 202 })

export const McpHandlers = handlersOf(
  McpApi,
  "mcp",
  Effect.fnUntraced(function* (handle) {
    const baseUrl = yield* BaseUrl
    const executions = yield* Executions
    const random = yield* SecureRandom
    const list = yield* makeToolList
    const toolCalls = yield* makeToolCalls

    const call = Effect.fnUntraced(function* (given: ToolCall) {
      const current = yield* CurrentCall
      const { id, params } = given.request
      if (!acceptsEvents(current.request.headers)) return errorAnswerTo(current.id, noEvents)
      const answer = yield* toolCalls
        .call(given)
        .pipe(
          Effect.catch((refusal) =>
            isApiError(refusal)
              ? Effect.succeed(failedWith(JSON.stringify(refusal.error)))
              : Effect.fail(refusal)
          )
        )
      if (answer === undefined)
        return answerOf(
          errorOf(id, "invalidParams", "name: This server has no such tool, or the key may not run its task")
        )
      if (Stream.isStream(answer)) return yield* eventStream(answer)
      return answerOf(
        resultOf(id, Protocol.inVersion(Protocol.clientOf(params, current.request.headers), answer))
      )
    })

    const requested = Effect.fnUntraced(function* (given: ToolCall) {
      const { id, method, params } = given.request
      switch (method) {
        case "initialize": {
          const session = Protocol.sessionOf(yield* random.uuidV7(), params)
          const answer = answerOf(resultOf(id, Protocol.initialized(params)))
          return HttpServerResponse.setHeader(answer, Protocol.sessionHeader, session)
        }
        case "server/discover":
          return answerOf(resultOf(id, Protocol.inVersion({ isStateless: true }, Protocol.discovered)))
        case "ping":
          return answerOf(resultOf(id, {}))
        case "tools/list":
          return answerOf(yield* list(given.request))
        case "tools/call":
          return yield* call(given)
        default:
          return answerOf(
            errorOf(id, "methodNotFound", `This server has no method ${method.slice(0, methodLengthMax)}`)
          )
      }
    })

    /** A client no longer wants the result of a call. */
    const cancelled = Effect.fnUntraced(function* ({ reason, requestId }: JsonObject, headers: Headers) {
      const caller = yield* callerWith("executions:write")
      const reference = isId(requestId) ? Protocol.callName(headers, requestId) : null
      if (reference === null) return
      const filter = {
        statuses: null,
        taskId: null,
        agentId: null,
        reference,
        scheduleId: null,
        find: null,
        from: null,
        to: null
      }
      const found = yield* executions.list(caller.accountId, filter, { after: null, limit: 1 }).pipe(
        Effect.map(({ items: [first] }) => first),
        Effect.repeat({ schedule: overtaken, until: (first) => first !== undefined })
      )
      if (found === undefined) return
      const said = typeof reason === "string" ? reason.slice(0, reasonLengthMax) : null
      yield* executions.stop({ ...changedBy(caller, found.id), to: "aborted", reason: said })
    }, toApiError)

    /** A person has answered a question, or would not. */
    const answered = Effect.fnUntraced(function* ({ id, result }: Message & { readonly kind: "response" }) {
      const caller = yield* callerWith("executions:write")
      const [, execution, input] = String(id).split(":")
      if (!Schema.is(ExecutionId)(execution) || !Schema.is(InputId)(input)) return
      yield* toolCalls.answerForm(changedBy(caller, execution), input, result)
    }, toApiError)

    return handle({
      receive: Effect.fnUntraced(function* ({ payload, query }) {
        const { id, request } = yield* CurrentCall
        const { headers } = request
        if (isSentElsewhere(headers, baseUrl)) return errorAnswerTo(id, elsewhere)
        const parsed = Protocol.isUnknownVersion(headers)
          ? Result.fail("MCP-Protocol-Version: This server does not support this version")
          : messageOf(payload)
        if (Result.isFailure(parsed))
          return jsonAnswer(400, JSON.stringify(errorOf(null, "invalidRequest", parsed.failure)))
        const message = parsed.success
        switch (message.kind) {
          case "request":
            return yield* requested({ request: message, agentId: query.agent_id })
          case "response":
            yield* answered(message)
            return taken
          case "notification":
            if (message.method === "notifications/cancelled") yield* cancelled(message.params, headers)
            return taken
        }
      })
    })
  })
)

const answerOf = (message: JsonObject) => jsonAnswer(200, JSON.stringify(message))
