/** Corrects what the definitions cannot say of requests: that a body may be left out, and that a text is a number. */
import * as Schema from "effect/Schema"
import { queryNumbers } from "../QueryNumbers.ts"
import { mapOperations, type Part, partOf } from "./Document.ts"

export const describeRequests = (document: Part): Part =>
  mapOperations(document, ({ parameters, requestBody, ...operation }) => ({
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(describeParameter) } : {}),
    ...(requestBody === undefined ? {} : { requestBody: describeBody(partOf(requestBody)) })
  }))

/** A body that may be `null` may as well be left out. */
const describeBody = (body: Part): Part => {
  const json = "application/json"
  const alternatives = partOf(partOf(partOf(body["content"])[json])["schema"])["anyOf"]
  const [schema, nothing] = Array.isArray(alternatives) ? alternatives : []
  return partOf(nothing)["type"] === "null" ? { content: { [json]: { schema } }, required: false } : body
}

const numbers: { readonly [name: string]: Schema.Top } = queryNumbers

/** A number of a query is told by its own rules instead of by its spelling; a description is the parameter's. */
const describeParameter = (parameter: unknown): Part => {
  const { schema, ...rest } = partOf(parameter)
  const number = rest["in"] === "query" ? numbers[String(rest["name"])] : undefined
  const { description, ...shape } =
    number === undefined ? partOf(schema) : Schema.toJsonSchemaDocument(number).schema
  return { ...rest, ...(description === undefined ? {} : { description }), schema: shape }
}
