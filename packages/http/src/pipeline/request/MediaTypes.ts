/** The media types in which an endpoint takes a request and answers it. */
import { OtherForms } from "@runhook/contract/RequestRules"
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type { Headers } from "effect/http/Headers"
import type { Problem } from "../../errors/ErrorAnswer.ts"
import { acceptsEvents, acceptsJson, bodyFormProblem, prefers } from "../answer/Negotiation.ts"

/** What is wrong with the media types of a request to the endpoint. */
export const formProblemIn = (endpoint: HttpApiEndpoint.Top): ((headers: Headers) => Problem | undefined) => {
  const answersInEvents = [...endpoint.success].some((schema) => "mode" in schema && schema.mode === "sse")
  const answersInJson = !answersInEvents && answersJson(endpoint)
  const otherForms = Context.get(endpoint.annotations, OtherForms)
  const readsBody = endpoint.payload.size > 0
  return (headers) => {
    if (answersInEvents && !acceptsEvents(headers)) return notAcceptable("text/event-stream")
    if (answersInJson && !acceptsJson(headers) && !otherForms.some((form) => prefers(headers, form))) {
      return notAcceptable("application/json")
    }
    return readsBody ? bodyFormProblem(headers) : undefined
  }
}

const notAcceptable = (form: string): Problem => ({ status: 406, message: `Accept: must allow ${form}` })

/** A redirect or an empty answer has no media type that a caller could refuse. */
const answersJson = ({ success }: HttpApiEndpoint.Top): boolean =>
  [...success].some((schema) => {
    const body = HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema
    return !HttpApiSchema.isNoContent(body.ast)
  })
