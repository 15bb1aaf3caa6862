/** The cost of one visit of a value by one schema, estimated from what its keywords walk. */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { isArray, isObject } from "./JsonTree.ts"

/**
 * The steps of a visit: `fixed`, plus some for each member of an object or array
 * and each character of a text. A step is about a microsecond at worst. Our own
 * keywords are not included: they spend as they go.
 */
export type SchemaCost = {
  readonly fixed: number
  readonly perMember: number
  readonly perCharacter: number
}

/** Characters that are read, or written as part of a default, per step. */
const charactersRead = 100
const charactersWritten = 8

const memberKeywords = new Set(
  "additionalProperties propertyNames patternProperties items additionalItems contains minProperties maxProperties unevaluatedItems unevaluatedProperties".split(
    " "
  )
)

const lengthKeywords = new Set(["minLength", "maxLength"])

const membersOf = (json: Json | undefined): number =>
  isArray(json) ? json.length : isObject(json) ? Object.keys(json).length : 0

/** A default is written into the value at each place that lacks it. */
const defaultsOf = ({ properties, items }: JsonObject): number =>
  [...Object.values(isObject(properties) ? properties : {}), ...(isArray(items) ? items : [])]
    .map((schema) => (isObject(schema) ? schema["default"] : undefined))
    .reduce((cost: number, value) => (value === undefined ? cost : cost + written(value)), 0)

const written = (json: Json): number => {
  if (typeof json === "string") return 1 + json.length / charactersWritten
  if (isArray(json)) return json.reduce((cost: number, item) => cost + written(item), 1)
  if (!isObject(json)) return 1
  return Object.entries(json).reduce(
    (cost, [name, member]) => cost + name.length / charactersWritten + written(member),
    1
  )
}

export const costOf = (schema: JsonObject): SchemaCost => {
  const count = (keywords: ReadonlySet<string>) =>
    Object.keys(schema).filter((keyword) => keywords.has(keyword)).length
  return {
    fixed: Math.ceil(
      Object.values(schema).reduce((size: number, value) => size + 1 + membersOf(value), 1) +
        defaultsOf(schema)
    ),
    perMember: 1 + count(memberKeywords),
    perCharacter: count(lengthKeywords) / charactersRead
  }
}
