/** Answers requests that an endpoint cannot read: of another form than JSON, malformed, or against a rule. */
import type { InvalidRequest, Unprocessable } from "@runhook/contract/Errors"
import { BodyRuleStatus, OtherForms, RequestRules } from "@runhook/contract/RequestRules"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Headers } from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Layer from "effect/Layer"
import type * as Types from "effect/Types"
import { errorAnswer, type Problem } from "./ErrorAnswer.ts"
import { acceptsEvents, acceptsJson, bodyFormProblem, prefers } from "./Negotiation.ts"
import * as RequestTextLayer from "./RequestTextLayer.ts"
import { fieldIssues, refusal } from "./SchemaIssues.ts"

type Refusal = InvalidRequest | Unprocessable

const rules = Layer.succeed(
  RequestRules,
  RequestRules.of((handler, { endpoint }) => {
    const formProblem = formProblemIn(endpoint)
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const problem = formProblem(request.headers)
      if (problem !== undefined) return errorAnswer(problem)
      return handler.pipe(
        Effect.catch((error): Effect.Effect<never, Types.unhandled | Refusal> =>
          HttpApiSchemaError.is(error) ? refuse(error, request, endpoint) : Effect.fail(error)
        )
      )
    })
  })
)

/** All that a request has to keep to before its endpoint sees it. */
export const layer = Layer.merge(rules, RequestTextLayer.layer)

/** What is wrong with the forms that a request to the endpoint offers and wants. */
const formProblemIn = (endpoint: HttpApiEndpoint.Top) => {
  const answersInEvents = [...endpoint.success].some((schema) => "mode" in schema && schema.mode === "sse")
  const answersInJson = !answersInEvents && answersJson(endpoint)
  const otherForms = Context.get(endpoint.annotations, OtherForms)
  const readsBody = endpoint.payload.size > 0
  return (headers: Headers): Problem | undefined => {
    if (answersInEvents && !acceptsEvents(headers)) return notAcceptable("text/event-stream")
    if (answersInJson && !acceptsJson(headers) && !otherForms.some((form) => prefers(headers, form))) {
      return notAcceptable("application/json")
    }
    return readsBody ? bodyFormProblem(headers) : undefined
  }
}

const notAcceptable = (form: string): Problem => ({ status: 406, message: `Accept: must allow ${form}` })

/** A redirect or an empty answer has no form that a caller could be at odds with. */
const answersJson = ({ success }: HttpApiEndpoint.Top): boolean =>
  [...success].some((schema) => {
    const body = HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema
    return !HttpApiSchema.isNoContent(body.ast)
  })

const refuse = Effect.fnUntraced(function* (
  error: HttpApiSchemaError,
  request: HttpServerRequest.HttpServerRequest,
  endpoint: HttpApiEndpoint.Top
) {
  const issues = fieldIssues(error)
  // Our own answer does not fit the contract: a defect of the service.
  if (issues.length === 0) return yield* Effect.die(error)
  const isBody = error.kind === "Payload"
  const isReadable = !isBody || isJson(yield* Effect.orDie(request.text))
  const status = isBody && isReadable ? Context.get(endpoint.annotations, BodyRuleStatus) : 400
  return yield* refusal(status, isReadable ? issues : [{ path: ["body"], message: "must be valid JSON" }])
})

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
