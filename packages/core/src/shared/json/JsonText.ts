/** JSON as text: its canonical form, and what no store can keep. */
import * as Schema from "effect/Schema"
import type { Json } from "./Json.ts"
import { isMisreadKey } from "./JsonKey.ts"

/** Deepest nesting of arrays and objects. */
export const jsonDepthMax = 64

/** What is wrong with a JSON value: a rule in words, and where it is broken. */
export interface JsonIssue {
  readonly path: ReadonlyArray<string>
  readonly message: string
}

/** A schema check made of a rule that names its issue. No later check runs after it fails. */
export const issueCheck = <T>(
  rule: (value: T) => JsonIssue | undefined,
  annotations?: Schema.Annotations.Filter
) =>
  Schema.makeFilter<T>(
    (value) => {
      const issue = rule(value)
      return issue && { path: issue.path, issue: issue.message }
    },
    // JSON Schema has no words for it. Without any, it would drop what is said of a schema that ends with this check.
    { toJsonSchema: () => [{}, true], ...annotations },
    true
  )

/**
 * The canonical text of a JSON value, by RFC 8785: keys in the order of their
 * UTF-16 code units, no white space. Equal values have equal texts.
 */
export const canonicalJson = (value: Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value)
  return isArray(value)
    ? `[${entries.map(([, item]) => canonicalJson(item)).join(",")}]`
    : `{${entries
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
        .join(",")}}`
}

export const misreadKeyRule =
  'must not have a key with a backslash at its end or before one of " \\ / b f n r t u: Node may read another key for it'

/**
 * Why a JSON value cannot be stored, or undefined. PostgreSQL refuses the null
 * character and halves of surrogate pairs, also in keys, Node would misread some keys,
 * and endless nesting would exhaust the walk.
 */
export const storableIssue = (value: Json): JsonIssue | undefined => issueAt(value, 0)

const issueAt = (value: Json, depth: number): JsonIssue | undefined => {
  if (typeof value === "string") return textIssue(value)
  if (typeof value !== "object" || value === null) return undefined
  if (depth === jsonDepthMax) {
    return { path: [], message: `must not be nested deeper than ${jsonDepthMax} levels` }
  }
  if (isArray(value)) {
    for (const [place, item] of value.entries()) {
      const issue = issueAt(item, depth + 1)
      if (issue !== undefined) return { path: [String(place), ...issue.path], message: issue.message }
    }
    return undefined
  }
  for (const key of Object.keys(value)) {
    const fault = textFault(key)
    if (fault !== undefined) return { path: [], message: `must not have a key with ${fault}` }
    if (isMisreadKey(key)) return { path: [], message: misreadKeyRule }
    const issue = issueAt(value[key] ?? null, depth + 1)
    if (issue !== undefined) return { path: [key, ...issue.path], message: issue.message }
  }
  return undefined
}

const textIssue = (text: string): JsonIssue | undefined => {
  const fault = textFault(text)
  return fault === undefined ? undefined : { path: [], message: `must not contain ${fault}` }
}

const textFault = (text: string): string | undefined => {
  if (text.includes("\u0000")) return "the null character (\\u0000)"
  return text.isWellFormed() ? undefined : "half of a surrogate pair"
}

/** Refuses text that cannot be stored. */
export const isStorableText = issueCheck(textIssue)

/** Refuses JSON that cannot be stored: `JsonObject.check(isStorable)`. */
export const isStorable = issueCheck(storableIssue)

const isArray = (value: Json): value is Schema.JsonArray => Array.isArray(value)
