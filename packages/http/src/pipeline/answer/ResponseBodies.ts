/**
 * The answer of an endpoint: the text of its handler's result and the request id,
 * with the status of the contract.
 */
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { writerOf } from "../../encoding/JsonWriter.ts"
import { choiceOf } from "../../encoding/UnionWriter.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** Makes the answer to a call from its handler's result. */
export const answererOf = (
  endpoint: HttpApiEndpoint.Top
): ((given: unknown, requestId: string) => Answer) => {
  const answer = answerOf(endpoint)
  // Redirects, files and streams are answers already.
  return (given, requestId) =>
    HttpServerResponse.isHttpServerResponse(given) ? given : answer(identified(given, requestId))
}

/** A body names the request that it answers. */
const identified = (given: unknown, request_id: string): unknown =>
  Predicate.isObject(given) ? { ...given, request_id } : given

const answerOf = (endpoint: HttpApiEndpoint.Top): ((value: unknown) => Answer) => {
  const schemas = [...endpoint.success]
  const [only = () => HttpServerResponse.empty(), ...others] = schemas.map((schema) => answering(schema))
  if (others.length === 0) return only
  const answers = [only, ...others]
  const choose = choiceOf(
    schemas.map(({ ast }) => ast),
    endpoint.identifier
  )
  return (value) => (answers[choose(value)] ?? only)(value)
}

const answering = (schema: Schema.Top): ((value: unknown) => Answer) => {
  const status = statusOf(schema)
  if (isWithoutText(schema)) {
    return () => HttpServerResponse.empty({ status: status ?? 204 })
  }
  const write = writerOf(schema)
  return (value) => jsonAnswer(status ?? 200, write(value))
}

const isWithoutText = (schema: Schema.Top): boolean =>
  HttpApiSchema.isWithHeaders(schema) || "mode" in schema || HttpApiSchema.isNoContent(schema.ast)

/** The answer with that status and JSON text. */
export const jsonAnswer = (status: number, text: string): Answer =>
  HttpServerResponse.text(text, { status, contentType: "application/json" })

/** The status that the contract gives to a schema. */
const statusOf = (schema: Schema.Top): number | undefined =>
  Schema.resolveAnnotationsKey(schema)?.httpApiStatus ?? Schema.resolveAnnotations(schema)?.httpApiStatus
