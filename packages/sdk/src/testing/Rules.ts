/** Rules for the fields of requests, in the words of the service. */
import type { Issue } from "./Refused.ts"

/** The broken rules of a value that is at this path. */
export type Rule = (value: unknown, path: ReadonlyArray<string>) => ReadonlyArray<Issue>

/** What the value must be, in words and as a test. */
export const expects =
  (words: string, holds: (value: unknown) => boolean): Rule =>
  (value, path) =>
    holds(value) ? [] : [{ path, message: `Expected ${words}` }]

/** The issues of the first rule that is broken. */
export const inOrder =
  (...rules: ReadonlyArray<Rule>): Rule =>
  (value, path) =>
    rules.map((rule) => rule(value, path)).find((issues) => issues.length > 0) ?? []

/** Null, or what the rule says. */
export const orNull =
  (rule: Rule): Rule =>
  (value, path) =>
    value === null ? [] : rule(value, path)

/** An array of what the rule says. */
export const listOf =
  (rule: Rule): Rule =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((each, index) => rule(each, [...path, String(index)]))
      : [{ path, message: "Expected array" }]

export type JsonLike = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is JsonLike =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An object of these fields and no others. */
export const objectOf =
  (
    name: string,
    {
      fields,
      required
    }: { readonly fields: Readonly<Record<string, Rule>>; readonly required: ReadonlyArray<string> }
  ): Rule =>
  (value, path) => {
    if (!isObject(value)) return [{ path, message: `Expected ${name}` }]
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(fields, key))
    const missing = required.filter((key) => value[key] === undefined)
    return [
      ...unknown.map((key) => ({ path: [...path, key], message: "is not a known field" })),
      ...missing.map((key) => ({ path: [...path, key], message: "is required" })),
      ...Object.entries(fields).flatMap(([key, rule]) =>
        value[key] === undefined ? [] : rule(value[key], [...path, key])
      )
    ]
  }

/** No integer that reading would change. Programs in JavaScript write those from 1e21 on as other numbers. */
export const exact: Rule = (value, path) => {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => exact(item, [...path, key]))
  }
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) < 1e21
    ? [
        {
          path,
          message: `must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, or text`
        }
      ]
    : []
}

const isText = (value: unknown): value is string => typeof value === "string"

export const text = expects("string", isText)
export const json = expects("object", isObject)
export const flag = expects("boolean", (value) => typeof value === "boolean")

export const textOf = (maximum: number): Rule =>
  inOrder(
    text,
    expects(
      `a string with between 1 and ${maximum} code points`,
      (value) => isText(value) && value.length > 0 && [...value].length <= maximum
    )
  )

export const integerFrom = (minimum: number, maximum: number): Rule =>
  inOrder(
    expects("number", (value) => typeof value === "number"),
    expects("an integer", Number.isInteger),
    expects(
      `a value between ${minimum} and ${maximum}`,
      (value) => Number(value) >= minimum && Number(value) <= maximum
    )
  )

/** The same, as the text of a query. */
export const integerTextFrom = (minimum: number, maximum: number): Rule =>
  inOrder(
    expects("a whole number in digits", (value) => /^(0|[1-9]\d*)$/.test(String(value))),
    (value, path) => integerFrom(minimum, maximum)(Number(value), path)
  )

export const oneOf = (...values: ReadonlyArray<string>): Rule =>
  expects(values.map((value) => JSON.stringify(value)).join(" | "), (value) =>
    values.some((one) => one === value)
  )

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const id = inOrder(
  text,
  expects("a UUID", (value) => uuid.test(String(value)))
)

export const versionName = inOrder(
  text,
  expects(
    '"current", "tag:<name>" or a version UUID',
    (value) => /^(current|tag:.+)$/.test(String(value)) || uuid.test(String(value))
  )
)

export const timestamp = inOrder(
  text,
  expects(
    "an ISO 8601 timestamp with seconds and offset, such as 2026-03-07T09:30:00Z",
    (value) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(String(value)) &&
      !Number.isNaN(Date.parse(String(value)))
  )
)
