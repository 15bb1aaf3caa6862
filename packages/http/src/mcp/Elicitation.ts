/**
 * Questions of running work as forms of the protocol. A form is an object of plain
 * fields. A schema that says more is asked for as JSON text.
 */
import { isJsonObject, type Json, type JsonObject } from "@runhook/core/shared/json/Json"
import { inexactNumbers, misreadKeys } from "@runhook/core/shared/json/MisreadJson"
import type { InputRequest } from "@runhook/core/runs/InputRequest"

/** A question as a form, and the answer in what a person entered; undefined if it is none. */
export interface Form {
  readonly requestedSchema: JsonObject
  readonly answerIn: (content: JsonObject) => Json | undefined
}

export const formOf = (schema: JsonObject): Form => {
  const field = fieldOf(schema)
  if (field !== undefined)
    return { requestedSchema: formWith({ value: field }), answerIn: ({ value }) => value }
  const fields = fieldsOf(schema)
  if (fields !== undefined) return { requestedSchema: fields, answerIn: (content) => content }
  const description = `JSON that is valid by this schema: ${JSON.stringify(schema)}`
  return {
    requestedSchema: formWith({ value: { type: "string", title: "Answer as JSON", description } }),
    answerIn: ({ value }) => parsed(value)
  }
}

const formWith = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties)
})

const fieldsOf = ({ properties, required, type }: JsonObject): JsonObject | undefined => {
  if (type !== "object" || !isJsonObject(properties)) return undefined
  const fields = Object.entries(properties).map(([name, each]) => [
    name,
    isJsonObject(each) ? fieldOf(each) : undefined
  ])
  if (fields.some(([, field]) => field === undefined)) return undefined
  return { type, properties: Object.fromEntries(fields), ...(Array.isArray(required) ? { required } : {}) }
}

const common = ["title", "description", "default"]

/** What a form may say of a field of each type. */
const keywords: Readonly<Record<string, ReadonlyArray<string>>> = {
  string: [...common, "minLength", "maxLength", "enum"],
  number: [...common, "minimum", "maximum"],
  integer: [...common, "minimum", "maximum"],
  boolean: common
}

const formats: ReadonlySet<Json> = new Set(["email", "uri", "date", "date-time"])

const fieldOf = (schema: JsonObject): JsonObject | undefined => {
  const { enum: words, format, type = typeof words === "object" ? "string" : null } = schema
  const known = typeof type === "string" ? keywords[type] : undefined
  const isOfWords =
    words === undefined || (Array.isArray(words) && words.every((word) => typeof word === "string"))
  if (known === undefined || !isOfWords) return undefined
  const said = Object.entries(schema).filter(([keyword]) => known.includes(keyword))
  const isForm = type === "string" && format !== undefined && formats.has(format)
  return { type, ...Object.fromEntries(said), ...(isForm ? { format } : {}) }
}

/** The value of a text of JSON, by the rules for bodies; undefined if it breaks one. */
const parsed = (given: Json | undefined): Json | undefined => {
  const text = String(given)
  if (misreadKeys(text).length > 0 || inexactNumbers(text).length > 0) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The question as the protocol asks it. */
export const elicitation = ({ prompt, schema }: InputRequest): JsonObject => ({
  mode: "form",
  message: prompt,
  requestedSchema: formOf(schema).requestedSchema
})
