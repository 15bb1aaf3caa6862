/** JSON Schemas of an OpenAPI document, as a reader meets them. */
import { type Part, partOf } from "@runhook/contract/openapi/Document"

/** Follows a reference; returns any other schema. */
export type Resolve = (schema: Part) => Part

export const resolverOf = (document: Part): Resolve => {
  const resolve: Resolve = (schema) => {
    const reference = schema["$ref"]
    if (typeof reference !== "string" || !reference.startsWith("#/")) return schema
    const { $ref: _, ...beside } = schema
    const target = reference
      .slice(2)
      .split("/")
      .reduce((part: Part, name) => partOf(part[name]), document)
    return resolve({ ...target, ...beside })
  }
  return resolve
}

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The schemas of a choice, without null; the schema itself if there is no choice. */
export const alternatives = (schema: Part, resolve: Resolve): ReadonlyArray<Part> => {
  const given = resolve(schema)
  const choices = [...listOf(given["anyOf"]), ...listOf(given["oneOf"])]
  if (choices.length === 0) return [given]
  const some = choices.map(partOf).filter((choice) => choice["type"] !== "null")
  const { anyOf: _any, oneOf: _one, ...beside } = given
  return some.length === 1 ? [{ ...resolve(partOf(some[0])), ...beside }] : some.map(resolve)
}

const mayBeNull = (schema: Part): boolean =>
  [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].some(
    (choice) => partOf(choice)["type"] === "null"
  ) || listOf(schema["type"]).includes("null")

export interface Field {
  /** With the names of the objects around it: `execution.id`, `data[].id`. */
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string | undefined
  /** The rules for a value, as short sentences. */
  readonly rules: ReadonlyArray<string>
}

const depthMax = 5

/** The fields of an object, and of the objects in it, in their order. */
export const fieldsOf = (schema: Part, resolve: Resolve, prefix = "", depth = 0): ReadonlyArray<Field> => {
  if (depth > depthMax) return []
  const [only, ...others] = alternatives(schema, resolve)
  if (only === undefined || others.length > 0) return []
  if (only["type"] === "array") return fieldsOf(partOf(only["items"]), resolve, `${prefix}[]`, depth + 1)
  const required = listOf(only["required"])
  return Object.entries(partOf(only["properties"])).flatMap(([key, value]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`
    const given = resolve(partOf(value))
    return [
      {
        name,
        type: typeOf(given, resolve),
        isRequired: required.includes(key),
        description: textOf(given["description"]) ?? textOf(alternatives(given, resolve)[0]?.["description"]),
        rules: rulesOf(given, resolve)
      },
      ...fieldsOf(given, resolve, name, depth + 1)
    ]
  })
}

/** What kind of value it is, in words. */
export const typeOf = (schema: Part, resolve: Resolve): string => {
  const given = resolve(schema)
  const names = alternatives(given, resolve).map((each) => {
    if (each["type"] === "array") return `array of ${typeOf(partOf(each["items"]), resolve)}`
    const name = textOf(each["type"]) ?? listOf(each["type"]).find((type) => type !== "null")
    const format = textOf(each["format"])
    return format === undefined ? String(name ?? "any JSON") : `${String(name)} (${format})`
  })
  return [...new Set(names), ...(mayBeNull(given) ? ["null"] : [])].join(" or ")
}

const rulesOf = (schema: Part, resolve: Resolve): ReadonlyArray<string> => {
  const given: Part = Object.assign({}, resolve(schema), ...alternatives(schema, resolve))
  const values = "const" in given ? [given["const"]] : listOf(given["enum"])
  const least = boundOf(given["minimum"])
  const most = boundOf(given["maximum"])
  return [
    ...(values.length === 1 ? [`Always ${JSON.stringify(values[0])}.`] : []),
    ...(values.length > 1 ? [`One of ${values.map((value) => JSON.stringify(value)).join(", ")}.`] : []),
    ...(least === undefined ? [] : [`At least ${least}.`]),
    ...(most === undefined ? [] : [`At most ${most}.`]),
    ...lengthsOf(given),
    ...("default" in given ? [`${JSON.stringify(given["default"])} when left out.`] : [])
  ]
}

/** The bounds of JavaScript's numbers say nothing to a reader. */
const boundOf = (value: unknown): number | undefined =>
  typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined

const lengthsOf = (schema: Part): ReadonlyArray<string> =>
  (
    [
      ["minLength", "maxLength", "characters"],
      ["minItems", "maxItems", "items"],
      ["minProperties", "maxProperties", "fields"]
    ] as const
  ).flatMap(([from, to, unit]) => {
    const [least, most] = [boundOf(schema[from]), boundOf(schema[to])]
    if (least === undefined && most === undefined) return []
    if (least === undefined) return [`At most ${most} ${unit}.`]
    return [most === undefined ? `At least ${least} ${unit}.` : `${least} to ${most} ${unit}.`]
  })
