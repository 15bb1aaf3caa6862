/**
 * A form for a JSON Schema, as data: the control for each part of the value.
 * It covers text, numbers, choices, variants, three levels of objects and lists;
 * everything else is entered as JSON. The service alone validates the value.
 */
import type { Json } from "@runhook/sdk/admin"
import { isList, isMembers, type JsonMembers } from "../../format/Json.ts"

export type Schema = JsonMembers

interface Description {
  /** What the schema calls it, and says of it. */
  readonly title: string | null
  readonly hint: string | null
  /** What it is unless given; undefined when the schema does not say. */
  readonly preset: Json | undefined
}

interface TextLook {
  readonly input: "text" | "url" | "email" | "datetime" | "date" | "long" | "password"
  readonly isDigits: boolean
}

export type Control = Description &
  (
    | ({ readonly kind: "text" } & TextLook)
    | { readonly kind: "number"; readonly isInteger: boolean }
    | { readonly kind: "switch" }
    /** With what the schema calls its values. */
    | { readonly kind: "choice"; readonly values: ReadonlyArray<Json>; readonly words: ReadonlyArray<string> }
    /** A value without a choice, which no field shows. */
    | { readonly kind: "fixed"; readonly value: Json }
    /** One of several controls, as the user picks; nullable if that is one control, or null. */
    | { readonly kind: "variant"; readonly options: ReadonlyArray<Option>; readonly isNullable: boolean }
    | { readonly kind: "list"; readonly item: Control }
    | { readonly kind: "group"; readonly members: ReadonlyArray<Member> }
    /** Everything else, entered as JSON. */
    | { readonly kind: "json" }
  )

export type ControlOf<Kind extends Control["kind"]> = Extract<Control, { readonly kind: Kind }>

interface Option {
  readonly words: string
  readonly control: Control
}

interface Member {
  readonly name: string
  readonly isRequired: boolean
  readonly control: Control
}

/** Most members and choices that a form shows; more are easier to type as JSON. */
const membersMax = 60
const choicesMax = 200
const variantsMax = 20

/** Objects inside objects that a form shows, and references that it follows. */
const depthMax = 3
const referencesMax = 8

interface Place {
  /** The whole schema, which references name parts of. */
  readonly root: Schema
  readonly depth: number
}

/** The control for a value of the schema. */
export const controlOf = (
  schema: Json | undefined,
  place: Place = { root: isMembers(schema) ? schema : {}, depth: 0 }
): Control => {
  const named = resolved(schema, place.root)
  if (!isMembers(named)) return { kind: "json", title: null, hint: null, preset: undefined }
  const described = describe(named)
  return (
    choiceOf(named, described) ??
    variantOf(named, described, place) ??
    simpleOf(named, described) ??
    listOf(named, described, place) ??
    groupOf(named, described, place) ?? { kind: "json", ...described }
  )
}

/** The part that a reference names, with what is said beside the reference. */
const resolved = (schema: Json | undefined, root: Schema, left = referencesMax): Json | undefined => {
  if (!isMembers(schema) || typeof schema["$ref"] !== "string" || left === 0) return schema
  const { $ref, ...beside } = schema
  const [, list = "", name = ""] = /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(String($ref)) ?? []
  const parts = root[list]
  const part = isMembers(parts) ? resolved(parts[name], root, left - 1) : undefined
  return isMembers(part) ? { ...part, ...beside } : schema
}

/** Keywords that make what is valid depend on more than one part: a form that hid that would mislead. */
const combining = ["allOf", "anyOf", "oneOf", "not", "if", "$ref", "$dynamicRef", "patternProperties"]

const isPlain = (schema: Schema): boolean => !combining.some((keyword) => keyword in schema)

const describe = (schema: Schema): Description => ({
  title: textOf(schema["title"]),
  hint: textOf(schema["description"]) ?? hintOf(schema),
  preset: schema["default"]
})

const choiceOf = (schema: Schema, described: Description): ControlOf<"choice"> | undefined => {
  const values = schema["enum"]
  if (isList(values) && isPlain(schema) && values.length > 0 && values.length <= choicesMax)
    return { kind: "choice", ...described, values, words: values.map(wordOf) }
  const options = variantsOf(schema)?.filter(isMembers) ?? []
  if (options.length === 0 || options.length > choicesMax || !options.every((each) => "const" in each))
    return undefined
  const fixed = options.map((each) => each["const"] ?? null)
  const words = options.map((each, at) => textOf(each["title"]) ?? wordOf(fixed[at] ?? null))
  return { kind: "choice", ...described, values: fixed, words }
}

/** Text as it is, other values as JSON. */
const wordOf = (value: Json): string =>
  typeof value === "string" && value !== "" ? value : JSON.stringify(value)

/** The variants of a schema that says nothing else about the value. */
const variantsOf = (schema: Schema): ReadonlyArray<Json> | undefined => {
  const { $defs: _, default: __, description: ___, title: ____, ...rules } = schema
  const [[keyword, variants] = [], ...others] = Object.entries(rules).filter(([name]) => name !== "type")
  const { type } = schema
  if (keyword === undefined && isList(type)) return type.map((each) => ({ type: each }))
  return others.length === 0 && (keyword === "oneOf" || keyword === "anyOf") && isList(variants)
    ? variants
    : undefined
}

const variantOf = (schema: Schema, described: Description, place: Place): Control | undefined => {
  const { type } = schema
  // What is said of the text or the number holds for it beside null, too.
  const variants =
    variantsOf(schema) ??
    (isList(type) && isPlain(schema) ? type.map((each) => ({ ...schema, type: each })) : undefined)
  if (variants === undefined || variants.length === 0 || variants.length > variantsMax) return undefined
  const schemas = variants.map((each) => resolved(each, place.root)).filter(isMembers)
  const others = schemas.filter((each) => each["type"] !== "null")
  const isNullable = others.length === 1 && schemas.length === 2
  const options = [...others, ...schemas.filter((each) => each["type"] === "null")].map((each, at) => ({
    words: variantWords(each, at),
    control: controlOf(each, place)
  }))
  if (options.some(({ control }) => control.kind === "json")) return undefined
  const [first] = options
  return options.length === 1 && first !== undefined
    ? { ...first.control, ...described }
    : { kind: "variant", ...described, options, isNullable }
}

/** Its title, or the fixed text that tells it from the others. */
const variantWords = (schema: Schema, at: number): string => {
  const { properties, title, type } = schema
  const fixed = Object.values(isMembers(properties) ? properties : {}).flatMap((each) =>
    isMembers(each) && typeof each["const"] === "string" ? [each["const"]] : []
  )
  return textOf(title) ?? fixed[0] ?? (type === "object" ? null : textOf(type)) ?? `Variant ${at + 1}`
}

const simpleOf = (schema: Schema, described: Description): Control | undefined => {
  if (!isPlain(schema)) return undefined
  if ("const" in schema) return { kind: "fixed", ...described, value: schema["const"] ?? null }
  switch (schema["type"]) {
    case "string":
      return { kind: "text", ...described, ...textLook(schema) }
    case "number":
    case "integer":
      return { kind: "number", ...described, isInteger: schema["type"] === "integer" }
    case "boolean":
      return { kind: "switch", ...described }
    case "null":
      return { kind: "fixed", ...described, value: null }
    default:
      return undefined
  }
}

const inputs: { readonly [format: string]: TextLook["input"] } = {
  uri: "url",
  email: "email",
  password: "password",
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

const listOf = (schema: Schema, described: Description, place: Place): ControlOf<"list"> | undefined => {
  if (schema["type"] !== "array" || !isPlain(schema) || "prefixItems" in schema || isList(schema["items"]))
    return undefined
  const item = controlOf(schema["items"], { ...place, depth: place.depth + 1 })
  return item.kind === "json" || item.kind === "list" ? undefined : { kind: "list", ...described, item }
}

const groupOf = (
  schema: Schema,
  described: Description,
  { depth, root }: Place
): ControlOf<"group"> | undefined => {
  const { properties, required } = schema
  if (!isPlain(schema) || depth > depthMax || !(schema["type"] === "object" || isMembers(properties)))
    return undefined
  const named = Object.entries(isMembers(properties) ? properties : {})
  const isOpen = schema["additionalProperties"] !== false
  // An object without declared names can only be entered as JSON.
  if (named.length === 0 && isOpen) return undefined
  if (named.length > membersMax) return undefined
  const members = named.map(([name, member]) => ({
    name,
    isRequired: isList(required) && required.includes(name),
    control: controlOf(member, { root, depth: depth + 1 })
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

const textOf = (value: Json | undefined): string | null => (typeof value === "string" ? value : null)
const numberOf = (value: Json | undefined): number => (typeof value === "number" ? value : Number.NaN)
