/** The common part of JSON Schema, in the words of the service. Keywords that are not here hold for every value. */
import type { JsonObject } from "../wire/Integration.ts"
import { Refused } from "./Refused.ts"
import { isObject, type JsonLike } from "./Rules.ts"

interface SchemaIssue {
  /** A JSON pointer. */
  readonly path: string
  readonly keyword: string
  readonly message: string
}

/** Issues that a message tells in full. */
const shownMax = 3

/** Refuses a value that breaks the schema, as params and answers are refused. */
export const checkValue = (schema: JsonObject, value: unknown): void => {
  const issues = issuesOf(schema, value, "")
  if (issues.length === 0) return
  const shown = issues
    .slice(0, shownMax)
    .map(({ message, path }) => `${path === "" ? "it" : path} ${message}`)
    .join("; ")
  const others = issues.length > shownMax ? `; and ${issues.length - shownMax} more` : ""
  throw new Refused({
    status: 422,
    code: "invalid_params",
    message: `The value does not satisfy its schema: ${shown}${others}`,
    details: issues.map((issue) => ({ ...issue }))
  })
}

const issuesOf = (schema: unknown, value: unknown, path: string): ReadonlyArray<SchemaIssue> => {
  if (!isObject(schema)) return []
  const broken = Object.entries(keywords).flatMap(([keyword, holds]) => {
    const message = schema[keyword] === undefined ? undefined : holds(schema[keyword], value)
    return message === undefined ? [] : [{ path, keyword, message }]
  })
  return [...broken, ...inside(schema, value, path)]
}

const inside = (schema: JsonLike, value: unknown, path: string): ReadonlyArray<SchemaIssue> => {
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => issuesOf(schema["items"], each, `${path}/${index}`))
  }
  if (!isObject(value)) return []
  const { additionalProperties, properties = {}, required = [] } = schema
  const known = isObject(properties) ? properties : {}
  const missing = Array.isArray(required) ? required.filter((name) => !Object.hasOwn(value, name)) : []
  const strange = Object.keys(value).filter((name) => !Object.hasOwn(known, name))
  const at = (name: string) => `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`
  return [
    ...missing.map((name) => ({ path: at(String(name)), keyword: "required", message: "is required" })),
    ...(additionalProperties === false
      ? strange.map((name) => ({
          path: at(name),
          keyword: "additionalProperties",
          message: "is not a property that the schema knows"
        }))
      : []),
    ...Object.entries(known).flatMap(([name, each]) =>
      Object.hasOwn(value, name) ? issuesOf(each, value[name], at(name)) : []
    )
  ]
}

/** What is wrong with the value by each keyword, or undefined. */
const keywords: {
  readonly [keyword: string]: (limit: unknown, value: unknown) => string | undefined
} = {
  type: (limit, value) =>
    [limit].flat().some((name) => types[String(name)]?.(value))
      ? undefined
      : `must be ${[limit].flat().join(",")}`,
  enum: (limit, value) =>
    [limit].flat().some((each) => equal(each, value)) ? undefined : `must be one of ${JSON.stringify(limit)}`,
  const: (limit, value) => (equal(limit, value) ? undefined : `must be ${JSON.stringify(limit)}`),
  minimum: (limit, value) =>
    typeof value === "number" && value < Number(limit) ? `must be >= ${String(limit)}` : undefined,
  maximum: (limit, value) =>
    typeof value === "number" && value > Number(limit) ? `must be <= ${String(limit)}` : undefined,
  minLength: (limit, value) =>
    typeof value === "string" && [...value].length < Number(limit)
      ? `must not have fewer than ${String(limit)} characters`
      : undefined,
  maxLength: (limit, value) =>
    typeof value === "string" && [...value].length > Number(limit)
      ? `must not have more than ${String(limit)} characters`
      : undefined,
  pattern: (limit, value) =>
    typeof value === "string" && !new RegExp(String(limit), "u").test(value)
      ? `must match pattern "${String(limit)}"`
      : undefined
}

const types: { readonly [name: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject
}

/** One text for equal values, whatever the order of their keys. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part
  )

export const equal = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)
