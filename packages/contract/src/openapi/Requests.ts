/**
 * Corrects what the definitions cannot say about requests: that a body is optional,
 * that a text is a number, whose id an id is.
 */
import * as Schema from "effect/Schema"
import { digits, queryNumbers } from "../QueryNumbers.ts"
import { mapOperations, type Part, partOf } from "./Document.ts"

export const describeRequests = (document: Part): Part =>
  mapOperations(document, ({ parameters, requestBody, ...operation }) => ({
    ...operation,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(describeParameter) } : {}),
    ...(requestBody === undefined ? {} : { requestBody: describeBody(partOf(requestBody)) })
  }))

/** A body that may be `null` may also be left out. */
const describeBody = (body: Part): Part => {
  const json = "application/json"
  const alternatives = partOf(partOf(partOf(body["content"])[json])["schema"])["anyOf"]
  const [schema, nothing] = Array.isArray(alternatives) ? alternatives : []
  return partOf(nothing)["type"] === "null" ? { content: { [json]: { schema } }, required: false } : body
}

const numbers: { readonly [name: string]: Schema.Top } = {
  ...queryNumbers,
  "last-event-id": queryNumbers.after
}

/**
 * Shows a number in a query or header by its own rules instead of its spelling; a description
 * belongs to the parameter.
 */
const describeParameter = (parameter: unknown): Part => {
  const { schema, ...rest } = partOf(parameter)
  const number = partOf(schema)["pattern"] === digits.source ? numbers[String(rest["name"])] : undefined
  const { description = meanings[String(rest["name"])], ...shape } =
    number === undefined ? partOf(schema) : Schema.toJsonSchemaDocument(number).schema
  return { ...(description === undefined ? {} : { description }), ...rest, schema: shape }
}

/** The meanings of parameters, by name, whose schemas are also used elsewhere. */
const meanings: { readonly [name: string]: string } = {
  account_id: "The account.",
  actor: "The actor: operator, member, key, service, or an id, a person or a whole name.",
  agent_id: "The agent.",
  artifactId: "The artifact.",
  execution_id: "The execution.",
  fileId: "The file.",
  file_id: "The file.",
  from: "Made at or after.",
  id: "Which one: its id.",
  inputId: "The question.",
  input_id: "The question.",
  key_id: "The key.",
  link_id: "The link.",
  name: "The tag.",
  reference: "The caller's own name for it.",
  session_id: "The session: of a runner, or of a person.",
  task_id: "The task.",
  to: "Made at or before.",
  type: "The type of event.",
  url_origin: "The origin of the callback URL, as in https://hooks.example.com.",
  version_id: "The version."
}
