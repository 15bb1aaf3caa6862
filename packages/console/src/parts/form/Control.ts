/**
 * A form for a JSON Schema, as data: the control for each part of the value.
 * It covers text, numbers, choices, one level of objects and lists; everything
 * else is entered as JSON. The service alone validates the value.
 */
import type { Json } from "@runhook/sdk/admin"

export type Schema = { readonly [keyword: string]: Json }

interface Description {
  /** What the schema calls it, and says of it. */
  readonly title: string | null
  readonly hint: string | null
  /** What it is unless given; undefined when the schema does not say. */
  readonly preset: Json | undefined
}

export interface TextControl extends Description {
  readonly kind: "text"
  readonly input: "text" | "url" | "email" | "datetime" | "date" | "long"
  readonly isDigits: boolean
}

export interface NumberControl extends Description {
  readonly kind: "number"
  readonly isInteger: boolean
}

export interface SwitchControl extends Description {
  readonly kind: "switch"
}

export interface ChoiceControl extends Description {
  readonly kind: "choice"
  readonly values: ReadonlyArray<Json>
}

export interface ListControl extends Description {
  readonly kind: "list"
  readonly item: Exclude<Control, ListControl | GroupControl | JsonControl>
}

export interface GroupControl extends Description {
  readonly kind: "group"
  readonly members: ReadonlyArray<Member>
}

/** Everything else, entered as JSON. */
export interface JsonControl extends Description {
  readonly kind: "json"
}

export interface Member {
  readonly name: string
  readonly isRequired: boolean
  readonly control: Control
}

export type Control =
  | TextControl
  | NumberControl
  | SwitchControl
  | ChoiceControl
  | ListControl
  | GroupControl
  | JsonControl

/** Most members and choices that a form shows; more are easier to type as JSON. */
const membersMax = 60
const choicesMax = 200

/** The control for a value of the schema. */
export const controlOf = (schema: Json | undefined, depth = 0): Control => {
  if (!isSchema(schema)) return { kind: "json", title: null, hint: null, preset: undefined }
  const described = describe(schema)
  return (
    choiceOf(schema, described) ??
    simpleOf(schema, described) ??
    listOf(schema, described) ??
    groupOf(schema, described, depth) ?? { kind: "json", ...described }
  )
}

/** Keywords that make what is valid depend on more than one part: a form that hid that would mislead. */
const combining = ["allOf", "anyOf", "oneOf", "not", "if", "$ref", "$dynamicRef", "patternProperties"]

const isPlain = (schema: Schema): boolean => !combining.some((keyword) => keyword in schema)

const describe = (schema: Schema): Description => ({
  title: textOf(schema["title"]),
  hint: textOf(schema["description"]) ?? hintOf(schema),
  preset: schema["default"]
})

const choiceOf = (schema: Schema, described: Description): ChoiceControl | undefined => {
  const values = schema["enum"]
  return isPlain(schema) && isList(values) && values.length > 0 && values.length <= choicesMax
    ? { kind: "choice", ...described, values }
    : undefined
}

const simpleOf = (
  schema: Schema,
  described: Description
): TextControl | NumberControl | SwitchControl | undefined => {
  if (!isPlain(schema) || "const" in schema) return undefined
  switch (schema["type"]) {
    case "string":
      return { kind: "text", ...described, ...textLook(schema) }
    case "number":
    case "integer":
      return { kind: "number", ...described, isInteger: schema["type"] === "integer" }
    case "boolean":
      return { kind: "switch", ...described }
    default:
      return undefined
  }
}

const inputs: { readonly [format: string]: TextControl["input"] } = {
  uri: "url",
  email: "email",
  date: "date",
  "date-time": "datetime"
}

/** Longer texts have more than one line to be typed in. */
const lineMax = 200

const textLook = ({ format, maxLength, pattern }: Schema) => ({
  input:
    inputs[textOf(format) ?? ""] ?? (numberOf(maxLength) > lineMax ? ("long" as const) : ("text" as const)),
  isDigits: /^\^?(?:\[0-9\]|\\d)(?:\{[\d,]+\}|[+*])?\$?$/.test(textOf(pattern) ?? "")
})

const listOf = (schema: Schema, described: Description): ListControl | undefined => {
  if (schema["type"] !== "array" || !isPlain(schema) || "prefixItems" in schema || isList(schema["items"]))
    return undefined
  const item = controlOf(schema["items"], 1)
  return item.kind === "json" || item.kind === "list" || item.kind === "group"
    ? undefined
    : { kind: "list", ...described, item }
}

const groupOf = (schema: Schema, described: Description, depth: number): GroupControl | undefined => {
  const { properties, required } = schema
  if (!isPlain(schema) || depth > 1 || !(schema["type"] === "object" || isSchema(properties)))
    return undefined
  const named = Object.entries(isSchema(properties) ? properties : {})
  const isOpen = schema["additionalProperties"] !== false
  // An object without declared names can only be entered as JSON.
  if (named.length === 0 && isOpen) return undefined
  if (named.length > membersMax) return undefined
  const members = named.map(([name, member]) => ({
    name,
    isRequired: isList(required) && required.includes(name),
    control: controlOf(member, depth + 1)
  }))
  return { kind: "group", ...described, members }
}

/** The schema's requirements in words, if it has no description. */
const hintOf = (schema: Schema): string | null => {
  const said = [
    lengthWords(schema["minLength"], schema["maxLength"]),
    rangeWords(schema["minimum"], schema["maximum"]),
    textOf(schema["pattern"]) === null ? "" : `must match ${textOf(schema["pattern"])}`
  ].filter(Boolean)
  return said.length === 0 ? null : said.join("; ")
}

const lengthWords = (from: Json | undefined, to: Json | undefined): string =>
  rangeWords(from, to).replace(/(\d)$/, "$1 characters")

const rangeWords = (from: Json | undefined, to: Json | undefined): string => {
  if (typeof from === "number" && typeof to === "number") return from === to ? `${to}` : `${from} to ${to}`
  if (typeof from === "number") return `at least ${from}`
  return typeof to === "number" ? `at most ${to}` : ""
}

const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

export const isSchema = (value: Json | undefined): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = (value: Json | undefined): string | null => (typeof value === "string" ? value : null)
const numberOf = (value: Json | undefined): number => (typeof value === "number" ? value : Number.NaN)
